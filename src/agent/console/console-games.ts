import type { ConsoleKind } from '../../protocol/generated/schemas.js';
import type { Choice } from './choices.js';

/** What a console plays, and by what. */
export interface ConsoleGames {
  readonly kind: ConsoleKind;
  /** Extensions of the files that it plays; what is taken first comes first. */
  readonly extensions: readonly string[];
  /** That of a file which has none: an address need not end in a file's name. */
  readonly plain: string;
  /** What is wrong with a file, told by its extension, what it begins with (HEAD_BYTES) and its size; null: nothing. */
  problem(extension: string, head: Buffer, size: number): string | null;
  /** What is on the chip that a file was read from; null where that is the file. Undefined: it is never rewritten. */
  readonly normalize: ((content: Buffer) => Buffer | null) | undefined;
  /** Its emulators in order of preference. Which of them are there is decided when the image is built. */
  readonly choices: readonly [Choice, ...Choice[]];
  /** A sentence on what may help where a program crashes all of them; empty: nothing is known. */
  readonly advice: string;
}

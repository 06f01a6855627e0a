import type { ConsoleKind } from '../../protocol/generated/schemas.js';
import type { Emulator } from './emulator.js';

/** A game that can be played. */
export interface PreparedRom {
  /** The file to start. */
  readonly path: string;
  /** The file that makes it this game and no other: the cartridge, or the largest track of a disc. */
  readonly body: string;
  /** What its discs are called, where it comes with several files of discs. */
  readonly discs?: readonly string[];
}

/** Whether a RetroArch process fast-forwards, which it cannot be asked, and the callback for changes. */
export interface SpeedState {
  readonly isFast: boolean;
  readonly changed: (isFast: boolean) => void;
}

/** An emulator, or a configuration of one, that plays a console's games. */
export interface Choice {
  /** Identifies it among the console's choices. */
  readonly name: string;
  /** A file that exists if the image has it. */
  readonly needs: string;
  /** Makes the emulator for one process. */
  emulator(fast: SpeedState): Emulator;
}

/** A console's games, and its emulators. */
export interface ConsoleGames {
  readonly kind: ConsoleKind;
  /** Extensions of the files that it plays, in order of preference. */
  readonly extensions: readonly string[];
  /** Whether a game may have several discs; otherwise several files are several games. */
  readonly hasDiscs?: boolean;
  /** Extension assumed for a file that neither its content nor its name tells anything of. */
  readonly plain: string;
  /** The extension of what a file surely is by its beginning (HEAD_BYTES), whatever its name; null: not sure. */
  formatOf(head: Buffer, size: number): string | null;
  /** Checks a file by its extension, its beginning (HEAD_BYTES) and its size; returns what is wrong, or null. */
  problem(extension: string, head: Buffer, size: number): string | null;
  /**
   * Converts a dump to the content of the cartridge's chip; null if it is that already. Undefined: files are never
   * converted.
   */
  readonly normalize: ((content: Buffer) => Buffer | null) | undefined;
  /** Adapts the game to the emulator before it starts; `files` are all files of the game. */
  readonly forEmulator?: (rom: PreparedRom, files: readonly string[]) => Promise<PreparedRom>;
  /** Why the emulator refused a game after running it for a while, by its exit code. */
  readonly refusals?: Readonly<Record<number, string>>;
  /** Its emulators in order of preference. Which of them exist is decided when the image is built. */
  readonly choices: readonly [Choice, ...Choice[]];
  /** A sentence with advice if a program crashes all of them; empty if there is none. */
  readonly advice: string;
  /** The choice that the advice recommends: if the image has it, the advice is not given. */
  readonly advises?: string;
}

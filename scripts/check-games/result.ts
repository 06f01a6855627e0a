import type { ConsoleKind } from '../../src/protocol/generated/schemas.js';
import { SIMILAR } from './similarity.js';
import type { Content } from './content.js';

/** What was observed of a program. */
export interface Trial {
  /** Why it was not started, or what ended it; null if it was still running at the end. */
  readonly ended: { readonly reason: string; readonly message: string } | null;
  /** Whether its emulator ever ran. */
  readonly hasRun: boolean;
  /** How often its emulator was restarted. */
  readonly restarts: number;
  /** The pictures' properties, in order. */
  readonly contents: readonly Content[];
  /** Largest share of pixels that differ between two contents, 0 to 1. */
  readonly moved: number;
  /** Frames per second that viewers received while it was played: a frozen one sends hardly any. */
  readonly fps: number;
  /** Loudest sample, 0 to 1; 0 is silence. */
  readonly peak: number;
  /** How alike the best look is to the picture it should show, 0 to 1; null where there is none. */
  readonly similarity: number | null;
}

export type Verdict = 'plays' | 'sounds' | 'differs' | 'black' | 'crashed' | 'refused' | 'failed';

/** A program, what was observed of it, and the verdict. */
export interface Result extends Trial {
  readonly name: string;
  readonly type: ConsoleKind;
  readonly verdict: Verdict;
}

const MOVED_SHARE = 0.001;
/** What is quieter may be the click of an emulator that starts. */
const AUDIBLE = 0.05;

export const hasMoved = ({ moved }: Trial) => moved >= MOVED_SHARE;

/**
 * - `refused`: not a game for the console, by the service's words; `crashed`: its session ended by itself.
 * - `differs`: another picture than it should show. `black`: no picture, or one colour that never changes. `sounds`: the
 *   same with sound, where it is not known that there should be a picture.
 * - `failed`: no session, which says nothing about the program.
 */
export function verdictOf(trial: Trial): Verdict {
  const { ended, hasRun, contents, similarity } = trial;
  if (ended !== null && ended.reason === 'unavailable') return 'failed';
  if (ended !== null) return hasRun || ended.reason !== 'failed' ? 'crashed' : 'refused';
  if (similarity !== null && similarity >= SIMILAR) return 'plays';
  const hasContent = contents.some(({ is }) => is === 'content') || (hasMoved(trial) && contents.some(isNotBlack));
  if (!hasContent) return similarity === null && trial.peak >= AUDIBLE ? 'sounds' : 'black';
  return similarity === null ? 'plays' : 'differs';
}

const isNotBlack = ({ is }: Content) => is !== 'black';

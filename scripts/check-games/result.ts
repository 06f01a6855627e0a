import type { ConsoleKind } from '../../src/protocol/generated/schemas.js';
import { SIMILAR } from './similarity.js';
import type { Content } from './content.js';
import type { Report } from './reading.js';

/** What was observed of a program. */
export interface Trial {
  /** Why it was not started, what ended it, or that it was never running; null if it was running at the end. */
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
  /** The similarity of the best picture to the reference picture, 0 to 1; null without a reference picture. */
  readonly similarity: number | null;
  /** What the program's own text says about its tests; null if nothing is readable. */
  readonly report: Report | null;
}

/** The verdicts, best first. */
export const VERDICTS = ['plays', 'sounds', 'differs', 'black', 'hung', 'crashed', 'refused', 'failed'] as const;
export type Verdict = (typeof VERDICTS)[number];

/** A program, what was observed of it, and the verdict. */
export interface Result extends Trial {
  readonly name: string;
  readonly type: ConsoleKind;
  readonly verdict: Verdict;
  /** Why its reference picture cannot be read. */
  readonly notCompared?: string;
  /** Whether it took the second, longer try. */
  readonly again?: true;
}

const MOVED_SHARE = 0.001;
/** Quieter sounds may be the click of a starting emulator. */
const AUDIBLE = 0.05;

export const hasMoved = ({ moved }: Trial) => moved >= MOVED_SHARE;

/**
 * - `refused`: not a game for the console, by the service's words; `crashed`: its session ended by itself; `hung`: it
 * never ran, and did not end either.
 * - `differs`: a picture other than the reference. `black`: no picture, or one colour that never changes. `sounds`: the
 * same with sound, and no reference picture.
 * - `failed`: no session was started, which says nothing about the program.
 */
export function verdictOf(trial: Trial): Verdict {
  const { ended, hasRun, contents, similarity } = trial;
  if (ended !== null && ended.reason === 'unavailable') return 'failed';
  if (ended !== null && ended.reason === 'hung') return 'hung';
  if (ended !== null) return hasRun || ended.reason !== 'failed' ? 'crashed' : 'refused';
  if (similarity !== null && similarity >= SIMILAR) return 'plays';
  const hasContent = contents.some(({ is }) => is === 'content') || (hasMoved(trial) && contents.some(isNotBlack));
  if (!hasContent) return similarity === null && trial.peak >= AUDIBLE ? 'sounds' : 'black';
  return similarity === null ? 'plays' : 'differs';
}

/** Whether one more try, longer and with nothing else running, may give a better verdict. */
export const isWorthAnother = ({ verdict }: Result) => verdict !== 'plays' && verdict !== 'refused';

/** Whether `result` has a better verdict than `other`. */
export const isBetter = (result: Result, other: Result) =>
  VERDICTS.indexOf(result.verdict) < VERDICTS.indexOf(other.verdict);

const isNotBlack = ({ is }: Content) => is !== 'black';

import type { Stroke } from './stroke.js';

/** Maximum number of steps that can be undone, since drawings are kept in the page's memory; older ones stay. */
const STEPS_MAX = 500;

/** All lines after each step; the last entry is the current state. */
export interface History {
  readonly past: readonly (readonly Stroke[])[];
  readonly present: readonly Stroke[];
  readonly future: readonly (readonly Stroke[])[];
}

export const EMPTY: History = { past: [], present: [], future: [] };

export const add = (history: History, stroke: Stroke): History => step(history, [...history.present, stroke]);

/** Removes everything, as an undoable step. */
export const clear = (history: History): History => (history.present.length === 0 ? history : step(history, []));

export function undo(history: History): History {
  const { past, present, future } = history;
  const before = past.at(-1);
  return before ? { past: past.slice(0, -1), present: before, future: [present, ...future] } : history;
}

export function redo(history: History): History {
  const { past, present, future } = history;
  const [after, ...others] = future;
  return after ? { past: [...past, present], present: after, future: others } : history;
}

const step = ({ past, present }: History, next: readonly Stroke[]): History => ({
  past: [...past, present].slice(-STEPS_MAX),
  present: next,
  future: [],
});

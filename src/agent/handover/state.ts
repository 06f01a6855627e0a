import type { State } from '../state.js';
import { hasFields, isText, type Handover } from './handover.js';

const NAME = 'state';
const STATES = ['idle', 'starting', 'running', 'restarting', 'failed'];
const isState = (value: unknown): value is State =>
  hasFields(value, { state: field => isText(field) && STATES.includes(field) });

export const storeState = (handover: Handover, state: State): void => handover.write(NAME, state);

/** The state in which the previous agent left a launched session. */
export function storedState(handover: Handover): State {
  const left = handover.read(NAME, isState);
  return left === undefined || left.state === 'idle' ? { state: 'starting' } : left;
}

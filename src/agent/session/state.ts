import type { AgentState, StartStep, TerminationCode } from '../../protocol/generated/schemas.js';
import { hasFields, isText, type Handover } from '../handover/handover.js';

export type State = Omit<AgentState, 'type'>;

export type StateEvent =
  | { type: 'launched' }
  /** An agent before this one was in that state. */
  | { type: 'resumed'; state: State }
  /** So many top-level windows are mapped. */
  | { type: 'windows'; count: number }
  /** The session's program has a picture. */
  | { type: 'shown' }
  /** The start of the session's program has come so far. */
  | { type: 'step'; step: StartStep; message: string }
  /** The session's program ended, or something it depends on did. */
  | { type: 'lost' }
  /** `cause` is a crash unless said otherwise. */
  | { type: 'failed'; message: string; cause?: 'content'; code?: TerminationCode | undefined };

/** The state after an event: the same object if nothing has changed. `failed` is final. */
export function next(state: State, event: StateEvent): State {
  if (state.state === 'failed') return state;
  switch (event.type) {
    case 'launched':
      return state.state === 'idle' ? { state: 'starting' } : state;
    case 'resumed':
      return event.state.state === 'running' ? { state: 'restarting' } : event.state;
    case 'windows':
      return event.count > 0 ? running(state) : state;
    case 'shown':
      return running(state);
    case 'step': {
      const { step, message } = event;
      const isUnderWay = state.state === 'starting' || state.state === 'restarting';
      return isUnderWay && state.step !== step ? { state: state.state, step, message } : state;
    }
    case 'lost':
      return state.state === 'running' ? { state: 'restarting' } : state;
    case 'failed':
      return {
        state: 'failed',
        message: event.message,
        cause: event.cause ?? 'crash',
        ...(event.code === undefined ? {} : { code: event.code }),
      };
  }
}

const running = (state: State): State =>
  state.state === 'idle' || state.state === 'running' ? state : { state: 'running' };

const NAME = 'state';
const STATES: readonly string[] = ['idle', 'starting', 'running', 'restarting', 'failed'] satisfies State['state'][];
const isState = (value: unknown): value is State =>
  hasFields(value, { state: field => isText(field) && STATES.includes(field) });

/** Leaves the state for the next agent. */
export const storeState = (handover: Handover, state: State): void => handover.write(NAME, state);

/** The state in which the previous agent left a launched session. */
export function storedState(handover: Handover): State {
  const left = handover.read(NAME, isState);
  return left === undefined || left.state === 'idle' ? { state: 'starting' } : left;
}

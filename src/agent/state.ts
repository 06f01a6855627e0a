import type { AgentState } from '../protocol/generated/schemas.js';

export type State = Omit<AgentState, 'type'>;

export type StateEvent =
  | { type: 'launched' }
  /** An agent before this one was in that state. */
  | { type: 'resumed'; state: State }
  /** So many top-level windows are mapped. */
  | { type: 'windows'; count: number }
  /** The session's program ended, or something it depends on did. */
  | { type: 'lost' }
  /** `cause` is a crash unless said otherwise. */
  | { type: 'failed'; message: string; cause?: 'content' };

/** The state after an event. `failed` is final. */
export function next(state: State, event: StateEvent): State {
  if (state.state === 'failed') return state;
  switch (event.type) {
    case 'launched':
      return state.state === 'idle' ? { state: 'starting' } : state;
    case 'resumed':
      return event.state.state === 'running' ? { state: 'restarting' } : event.state;
    case 'windows':
      return event.count > 0 && state.state !== 'idle' ? { state: 'running' } : state;
    case 'lost':
      return state.state === 'running' ? { state: 'restarting' } : state;
    case 'failed':
      return { state: 'failed', message: event.message, cause: event.cause ?? 'crash' };
  }
}

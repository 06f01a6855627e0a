import type { AgentState, SessionState } from '../../protocol/generated/schemas.js';

const SESSION_STATES = {
  idle: 'starting',
  starting: 'starting',
  running: 'running',
  restarting: 'restarting',
  failed: 'restarting',
} as const;

/** The session state that viewers see for an agent's state. A failed session is about to be ended. */
export function sessionState({ state, message, step }: AgentState): SessionState {
  return {
    type: 'session',
    state: SESSION_STATES[state],
    ...(message === undefined ? {} : { message }),
    ...(step === undefined ? {} : { step }),
  };
}

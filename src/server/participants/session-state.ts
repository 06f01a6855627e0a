import type { AgentState, SessionState } from '../../protocol/generated/schemas.js';

const SESSION_STATES = {
  idle: 'starting',
  starting: 'starting',
  running: 'running',
  restarting: 'restarting',
  failed: 'restarting',
} as const;

/** The state of a session by that of its agent, which is idle until it takes the launch. A failed one is about to be ended. */
export const stateOfSession = (agent: AgentState['state']): SessionState['state'] => SESSION_STATES[agent];

/** What viewers are told of an agent's state. */
export function sessionState({ state, message, step }: AgentState): SessionState {
  return {
    type: 'session',
    state: stateOfSession(state),
    ...(message === undefined ? {} : { message }),
    ...(step === undefined ? {} : { step }),
  };
}

export { Hub } from './hub.js';
export { stateOfSession } from './session-state.js';
export type { EndReason, HubEvents, HubMetrics, HubOptions, LinkTarget, SessionStatus } from './types.js';

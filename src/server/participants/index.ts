export { DEFAULT_ROLES } from './access.js';
export { CallError } from './call-error.js';
export { Hub } from './hub.js';
export type {
  AuthPolicy,
  Credential,
  EndReason,
  HubEvents,
  HubMetrics,
  HubOptions,
  LinkTarget,
  SessionStatus,
} from './types.js';

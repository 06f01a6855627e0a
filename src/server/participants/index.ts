export { CallError } from './call-error.js';
export { Hub } from './hub.js';
export type {
  Credential,
  EndReason,
  HubEvents,
  HubMetrics,
  HubOptions,
  LinkTarget,
  SessionStatus,
} from './types.js';

export { DEFAULT_ROLES, mayDownload, mayUpload, type Access } from './access.js';
export type { AgentRequest } from './agent-http.js';
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
  ViewerLimits,
} from './types.js';

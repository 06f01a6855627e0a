export {
  type Access,
  accessMessage,
  ADMINISTRATOR,
  decideControl,
  grantedAccess,
  initialAccess,
  mayChangeTabs,
  mayControl,
  mayCopy,
  mayDownload,
  mayReadTabs,
  mayResize,
  maySeePointers,
  maySee,
  maySeeUsers,
  mayUpload,
  preemptsUntil,
} from './access.js';
export type { AgentAnswer, AgentRequest, AgentRequests } from './agent-requests.js';
export { Callers } from './callers.js';
export {
  CallError,
  type ErrorCode,
  errorTable,
  HttpError,
  ProfileError,
  StartError,
  type StartFailure,
} from './errors.js';
export { type IdempotencyKey, KEY_LIFE_MS } from './idempotency.js';
export { isSessionId, newSessionId } from './ids.js';
export { type Person, shownColor, shownName } from './person.js';
export * as lifecycle from './lifecycle.js';
export type { SessionEvent } from './lifecycle.js';
export { LACKS, type Need, NEEDS, requireCapability } from './needs.js';
export { poolDeviceOf, withPoolDevice } from './kinds/android.js';
export { kindNames, kindOf, podImages, profileTraits, sessionImages, starts } from './kinds/index.js';
export type { Kind, KindName, ProfileKind, Start } from './kinds/kind.js';
export type { StartRequest, StartSpec } from './kinds/start-spec.js';
export type { ProfileSpec, ProfileReference } from './kinds/profile.js';
export type { AccessDefaults, AuthPolicy, Credential, PrivateUser, WebhookPolicy } from './participation.js';
export type {
  Announced,
  Ending,
  EndReason,
  EventReceiver,
  Metadata,
  Session,
  SessionState,
  SessionSummary,
  SessionTokens,
  Size,
  TimeoutType,
} from './session.js';
export {
  type Deadline,
  dueAt,
  nextDeadline,
  nextStep,
  stillAnnounced,
  timeoutsInForce,
  withTimeouts,
  withWarning,
} from './timeouts.js';
export { equal, isInForce, type TokenClaim, Tokens } from './tokens.js';
export { type DayUsage, liveUsage, splitByDay, summarize, type UsageGroup } from './usage.js';

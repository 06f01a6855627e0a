export { NO_CONNECTION, StoreError } from './errors.js';
export { type DeviceStore, type DueReset, type Lending } from './devices.js';
export { type FirstDue, type OutboxItem, OutboxStore } from './outbox.js';
export { type ProfileFilter, type ProfileKey, type ProfileRecord, ProfileStore } from './profiles.js';
export type { SessionFilter } from './session-pages.js';
export { type Lease, LEASE_MS, SessionStore } from './sessions.js';
export { Store } from './store.js';
export type { ErasedRows } from './tenants.js';
export { USAGE_MAX } from './usage.js';

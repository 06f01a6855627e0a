export { default, type BerthSession } from './berth.js';
export { SessionTerminatedError, TimedOutError, type DisconnectType } from './errors.js';
export type { BerthOptions, CloseWarningEvent, ConnectionState } from './options.js';
export type { BerthEvent } from './send-event.js';

export { default } from './berth.js';
export type { BerthSession } from './berth-session.js';
export type { GameConsole, GameState, Seat } from '../../protocol/api/console.js';
export { CallError, SessionTerminatedError, TimedOutError, type DisconnectType } from './errors.js';
export type { BerthOptions, CloseWarningEvent, ConnectionState, CursorEvent } from './options.js';
export type { TouchPadOption } from './pad/console-pads.js';
export type { Access, Permissions, Role } from './permissions.js';
export type { BerthEvent } from './input/send-event.js';
export type * from '../../protocol/api/tabs.js';

export { Berth, Berth as default, mount } from './berth.js';
export type {
  AndroidSession,
  BerthSession,
  BrowserSession,
  CommonSession,
  ConsoleSession,
  PendingSession,
} from './berth-session.js';
export type { AndroidDevice, AndroidKeyName } from '../../protocol/api/android.js';
export type { PageAndroid } from './android.js';
export type { Discs, GameConsole, GameState, Seat } from '../../protocol/api/console.js';
export type { ConsoleKind, TerminationCode } from '../../protocol/generated/schemas.js';
export type { Binding, Bindings } from '../controls/bindings.js';
export type { GamepadLayout, GamepadLayouts } from '../controls/gamepad-layout.js';
export type { PadSource } from '../controls/pad-source.js';
export type { Point } from '../lib/geometry.js';
export type { Dialog, DialogAnswer, SessionDialogs } from './dialogs.js';
export { CallError, SessionTerminatedError, TimedOutError, type DisconnectType } from './errors.js';
export type { FolderFile, SessionFiles, UploadOptions } from './files.js';
export type {
  BerthOptions,
  CloseWarningEvent,
  ConnectionState,
  CursorEvent,
  Download,
  FileChooser,
} from './options.js';
export type { ConsoleControls, TouchPadOption } from './pad/console-pads.js';
export type { Access, Permissions, Role } from './permissions.js';
export type { Privacy } from './privacy.js';
export type { SessionPerson, UserCallbacks } from './users.js';
export type { BerthEvent } from './input/send-event.js';
export type * from '../../protocol/api/tabs.js';
export type * from '../../protocol/api/windows.js';

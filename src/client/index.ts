/** The client of Berth's REST interface, for Node.js 20 or newer. */
// eslint-disable-next-line @typescript-eslint/no-deprecated -- the name of before is still exported
export { BerthClient, type BerthClientOptions, type BerthOptions } from './berth.js';
export type { AndroidClient } from './android.js';
export type { AndroidDevice, AndroidKeyName } from '../protocol/api/android.js';
export type { ConsoleClient } from './console.js';
export type { DialogsClient } from './dialogs.js';
export type { BrowserWindow, BrowserWindows, WindowBounds } from '../protocol/api/windows.js';
export { BerthError, type ErrorCode, type Problem } from './errors.js';
export { SessionClient, type SessionTabs } from './session.js';
export type { TransportOptions } from './transport.js';
export type * from './types.js';

/**
 * The calls of sessions, each declared once: the service carries them out by this table and makes operations of them,
 * and agent, SDK and client are typed by it. Pages and the agent import its types only.
 */
import type { CallErrorCode } from './call-errors.js';
import type { AllSchemas, Launch, Swipe } from './generated/schemas.js';
import { READING_TAB_METHODS, TAB_METHODS, type TabMethod } from './tabs.js';

/** What sessions must have for some calls. */
export type Capability = 'browser' | 'console' | 'device' | 'uploads';

/** Who may make a call; src/server/model/needs.ts has the rules. */
export type NeedName =
  | 'admin'
  | 'readTabs'
  | 'changeTabs'
  | 'upload'
  | 'play'
  | 'useDevice'
  | 'installApps'
  | 'useWindows'
  | 'answerDialogs';

/** How a call is declared. */
export interface CallDeclaration {
  /** What it does. */
  readonly summary: string;
  /** Schema of its arguments, in session-calls.json. */
  readonly args: Definition<'session-calls.json'>;
  /** Schema of its result, or what has none. */
  readonly result: Place | null;
  readonly needs: NeedName;
  /** Whether a viewer must have control at the moment, too. */
  readonly control?: true;
  /** What the session must have; null: nothing. */
  readonly session: Capability | null;
  readonly answeredBy: 'service' | 'agent';
  /** Whether only viewers can make it: for themselves, or where others have a request for the same. */
  readonly viewersOnly?: true;
  /** Why it may fail, besides what its declaration says already. */
  readonly errors: readonly Exclude<CallErrorCode, 'invalid_arguments' | 'unknown_method'>[];
}

/** Place of the result of calls without one, an empty object. */
export const DONE = 'session-calls.json#/$defs/done';
const SEATS = 'viewer.json#/$defs/all_seats';

const TAB = {
  summary: 'Call chrome.tabs',
  args: 'tabs',
  result: null,
  session: 'browser',
  answeredBy: 'agent',
  errors: ['tab_error'],
} as const;

/** `tabs.<method>`: what `chrome.tabs.<method>` does with these arguments. */
const tabCalls = Object.fromEntries(
  TAB_METHODS.map(name => [
    `tabs.${name}`,
    { ...TAB, needs: READING_TAB_METHODS.has(name) ? 'readTabs' : 'changeTabs' },
  ]),
) as Record<`tabs.${TabMethod}`, typeof TAB & { readonly needs: 'readTabs' | 'changeTabs' }>;

const ACCESS = { needs: 'admin', session: null, answeredBy: 'service', errors: ['user_not_found'] } as const;
const FILES = { result: null, needs: 'upload', control: true, answeredBy: 'agent' } as const;
const DIALOG = {
  result: DONE,
  needs: 'answerDialogs',
  control: true,
  session: 'browser',
  answeredBy: 'agent',
} as const;
const WINDOW = {
  result: DONE,
  needs: 'useWindows',
  control: true,
  session: 'browser',
  answeredBy: 'agent',
  errors: ['window_not_found'],
} as const;
const GAME = { result: DONE, needs: 'play', control: true, session: 'console', answeredBy: 'agent' } as const;
const SEAT = { result: SEATS, session: 'console', answeredBy: 'service' } as const;
const DEVICE = { result: DONE, needs: 'useDevice', control: true, session: 'device', answeredBy: 'agent' } as const;

/** The calls of viewers and integrators, by name. */
export const CALLS = {
  ...tabCalls,
  addRoles: {
    ...ACCESS,
    summary: 'Grant roles to users',
    args: 'roles',
    result: DONE,
  },
  removeRoles: {
    ...ACCESS,
    summary: 'Revoke roles from users',
    args: 'roles',
    result: DONE,
  },
  setPermissions: {
    ...ACCESS,
    summary: "Change a user's permissions",
    args: 'set_permissions',
    result: 'session-calls.json#/$defs/user_permissions',
  },
  disconnectUser: {
    ...ACCESS,
    summary: 'Disconnect a user',
    args: 'disconnect_user',
    result: DONE,
    viewersOnly: true,
  },
  enablePrivacyMode: {
    ...ACCESS,
    summary: 'Give the session to one user alone',
    args: 'enable_privacy_mode',
    result: DONE,
  },
  disablePrivacyMode: {
    ...ACCESS,
    summary: 'Give the session back to everybody',
    args: 'disable_privacy_mode',
    result: DONE,
    errors: [],
  },
  'files.choose': {
    ...FILES,
    summary: 'Hand uploads to the open file chooser',
    args: 'files_choose',
    session: 'browser',
    errors: ['files_only', 'folder_only', 'no_chooser', 'one_file_only', 'upload_not_found'],
  },
  'files.cancel': {
    ...FILES,
    summary: 'Close the file chooser',
    args: 'files_cancel',
    session: 'browser',
    errors: ['no_chooser'],
  },
  'files.drop': {
    ...FILES,
    summary: 'Drop uploads onto the page',
    args: 'files_drop',
    session: 'uploads',
    errors: ['no_page', 'upload_not_found'],
  },
  'dialogs.list': {
    summary: 'List open dialogs',
    args: 'dialogs_list',
    result: 'session-calls.json#/$defs/open_dialogs',
    needs: 'answerDialogs',
    session: 'browser',
    answeredBy: 'agent',
    errors: [],
  },
  'dialogs.accept': {
    ...DIALOG,
    summary: 'Accept a dialog',
    args: 'dialogs_accept',
    errors: ['dialog_not_found', 'dialog_not_answered'],
  },
  'dialogs.dismiss': {
    ...DIALOG,
    summary: 'Dismiss a dialog',
    args: 'dialogs_dismiss',
    errors: ['dialog_not_found', 'dialog_not_answered'],
  },
  'windows.list': {
    summary: 'List the windows',
    args: 'windows_list',
    result: 'session-calls.json#/$defs/windows',
    needs: 'useWindows',
    session: 'browser',
    answeredBy: 'agent',
    errors: [],
  },
  'windows.activate': {
    ...WINDOW,
    summary: 'Bring a window to the front',
    args: 'window',
  },
  'windows.close': {
    ...WINDOW,
    summary: 'Close a window',
    args: 'window',
  },
  'windows.setBounds': {
    ...WINDOW,
    summary: 'Move and resize a window',
    args: 'window_bounds',
    errors: ['window_not_found', 'not_supported'],
  },
  'console.saveState': {
    ...GAME,
    summary: 'Save the state of a game',
    args: 'console_slot',
    errors: ['not_playing', 'state_not_saved'],
  },
  'console.loadState': {
    ...GAME,
    summary: 'Load a saved state of a game',
    args: 'console_slot',
    errors: ['not_playing', 'slot_empty', 'state_not_loaded'],
  },
  'console.pause': {
    ...GAME,
    summary: 'Pause or resume a game',
    args: 'console_switch',
    errors: ['not_playing'],
  },
  'console.fastForward': {
    ...GAME,
    summary: 'Set the speed of a game',
    args: 'console_switch',
    errors: ['not_playing'],
  },
  'console.reset': {
    ...GAME,
    summary: "Press the console's reset button",
    args: 'console_reset',
    errors: ['not_playing'],
  },
  'console.disc': {
    ...GAME,
    summary: 'Change the disc of a game',
    args: 'console_disc',
    result: 'session-calls.json#/$defs/console_discs',
    errors: ['not_playing', 'one_disc', 'disc_not_changed'],
  },
  seats: {
    ...SEAT,
    summary: "Give a player's seat to a user",
    args: 'seats',
    needs: 'admin',
    errors: ['role_required', 'user_not_found'],
  },
  takeSeat: {
    ...SEAT,
    summary: 'Take a seat',
    args: 'own_seat',
    needs: 'play',
    control: true,
    viewersOnly: true,
    errors: ['seat_taken'],
  },
  leaveSeat: {
    ...SEAT,
    summary: 'Leave seats',
    args: 'own_seat',
    needs: 'play',
    viewersOnly: true,
    errors: [],
  },
  'android.key': {
    ...DEVICE,
    summary: 'Press a key of the device',
    args: 'android_key',
    errors: ['not_supported'],
  },
  'android.rotate': {
    ...DEVICE,
    summary: 'Turn the device',
    args: 'android_rotate',
    errors: ['not_supported'],
  },
  'android.open': {
    ...DEVICE,
    summary: 'Open an app or an address',
    args: 'android_open',
    errors: ['not_supported', 'app_not_available'],
  },
  'android.install': {
    ...DEVICE,
    summary: 'Install an app',
    args: 'android_install',
    result: 'session-calls.json#/$defs/installed_app',
    needs: 'installApps',
    errors: ['not_supported', 'apk_invalid', 'install_failed', 'upload_not_found'],
  },
  'android.location': {
    ...DEVICE,
    summary: 'Set where the device is',
    args: 'android_location',
    errors: ['not_supported'],
  },
  'android.logs': {
    summary: "Read the device's log",
    args: 'android_logs',
    result: 'session-calls.json#/$defs/android_log',
    needs: 'admin',
    session: 'device',
    answeredBy: 'agent',
    errors: ['not_supported'],
  },
} as const satisfies Readonly<Record<string, CallDeclaration>>;

/** Calls that only the service makes, to the agents of browsers, by name: their arguments. */
interface ServiceCalls {
  /** Goes back or forward in the history. */
  swipe: [direction: Swipe['direction']];
  /** Says whether viewers answer file choosers. */
  'files.enable': [enabled: boolean];
}

/** What each kind of session has. */
export const CAPABILITIES = {
  chromium: ['browser', 'uploads'],
  nes: ['console'],
  snes: ['console'],
  n64: ['console'],
  ps1: ['console'],
  android: ['device', 'uploads'],
} as const satisfies Readonly<Record<Launch['kind'], readonly Capability[]>>;

/** Name of a definition in a file of schemas/. */
type Definition<File extends string> = keyof AllSchemas extends infer Key
  ? Key extends `${File}/${infer Name}`
    ? Name
    : never
  : never;

/** A definition in one of two files of schemas/. */
type Place = { [File in 'session-calls.json' | 'viewer.json']: `${File}#/$defs/${Definition<File>}` }[
  'session-calls.json' | 'viewer.json'];

/** The type of a definition. */
type TypeOf<File extends string, Name extends string> = NonNullable<AllSchemas[`${File}/${Name}` & keyof AllSchemas]>;

type Calls = typeof CALLS;

/** Name of a call of viewers and integrators. */
export type CallName = keyof Calls;

/** Those that the service answers by itself. */
export type AnsweredByService = {
  [M in CallName]: Calls[M]['answeredBy'] extends 'service' ? M : never;
}[CallName];

/** Those that integrators can make, too. */
export type OperationName = { [M in CallName]: Calls[M] extends { viewersOnly: true } ? never : M }[CallName];

/** Name of a call to an agent. */
export type AgentCallName = Exclude<CallName, AnsweredByService> | keyof ServiceCalls;

/** The calls that the agent of a session of this kind answers. */
export type AgentCallsOf<K extends Launch['kind']> = {
  [M in AgentCallName]: (M extends CallName ? Calls[M]['session'] : 'browser') extends (typeof CAPABILITIES)[K][number]
    ? M
    : never;
}[AgentCallName];

/** The calls with a prefix, without it: `pause` for `console.pause`. */
export type MethodsOf<Prefix extends string> = {
  [M in CallName]: M extends `${Prefix}.${infer Method}` ? Method : never;
}[CallName];

/** The arguments of a call. */
export type CallArguments<M extends CallName | AgentCallName> = M extends CallName
  ? TypeOf<'session-calls.json', Calls[M]['args']>
  : M extends keyof ServiceCalls
    ? ServiceCalls[M]
    : never;

/** The result of a call. */
export type CallResult<M extends CallName> = M extends CallName
  ? Calls[M]['result'] extends `${infer File}#/$defs/${infer Name}`
    ? TypeOf<File, Name>
    : unknown
  : never;

/** Whether this is the name of a call of viewers and integrators. */
export const isCallName = (name: string): name is CallName => Object.hasOwn(CALLS, name);

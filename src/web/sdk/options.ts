import type { GameState, Seat } from '../../protocol/api/console.js';
import type { BrowserWindow } from '../../protocol/api/windows.js';
import type { TerminationCode } from '../../protocol/generated/schemas.js';
import { isLanguageTag } from '../../protocol/languages.js';
import type { Dialog } from './dialogs.js';
import type { CallError, DisconnectType } from './errors.js';
import type { TouchPadOption } from './pad/console-pads.js';
import type { Access } from './permissions.js';
import type { Size } from '../lib/geometry.js';
import type { Privacy } from './privacy.js';
import type { UserCallbacks } from './users.js';

/** The connection's state. `failed` is final. */
export type ConnectionState = 'connecting' | 'playing' | 'reconnecting' | 'failed';

/** The session will end soon. */
export interface CloseWarningEvent {
  /** The timeout that will end it. */
  type: 'absolute' | 'inactive' | 'offline';
  /** When it will end. */
  deadline: {
    /** Milliseconds from now. */
    delay: number;
    /** The same as a date, RFC 3339. */
    closeDate: string;
  };
}

/** The position of another viewer's pointer. */
export interface CursorEvent {
  /** From 0 (left) to 1 (right); null when the pointer is gone. */
  x: number | null;
  /** From 0 (top) to 1 (bottom); null when the pointer is gone. */
  y: number | null;
  /** The same in the page's viewport, CSS pixels from its left edge; null when the pointer is gone. */
  clientX: number | null;
  /** The same in the page's viewport, CSS pixels from its upper edge; null when the pointer is gone. */
  clientY: number | null;
  /** The other viewer's ID. */
  userId: string;
}

/** A file that was downloaded in the session. */
export interface Download {
  /** Its ID, for `files.downloadUrl`. */
  readonly id: string;
  /** Its name. */
  readonly name: string;
  /** Its size in bytes. */
  readonly size: number;
}

/** A request of a page in the session for files. */
export interface FileChooser {
  /** Whether it takes several files. */
  readonly multiple: boolean;
  /** Whether it takes a folder instead of files: `files.uploadFolder` uploads one. */
  readonly directory: boolean;
  /** Types of files, as in the attribute `accept` of an input element. */
  readonly accept: string;
}

/** Options of `Berth`; all can be left out. */
export interface BerthOptions extends UserCallbacks {
  /** The session's `admin_token`, which grants all permissions. */
  adminToken?: string;
  /** How long to wait for the session's first answer, in milliseconds; default 2000. */
  timeout?: number;
  /** From 0 to 1, default 1. */
  volume?: number;
  /** Starts without video. */
  videoPaused?: boolean;
  /**
   * Playout delay from 0 to 5000 milliseconds, for even playback of video and audio on an uneven network; default 0.
   * `true` means 200, `false` 0.
   */
  playoutDelay?: number | boolean;
  /** Whether keys pressed anywhere on the page go to the session, default true. Fields and buttons keep theirs. */
  delegateKeyboard?: boolean;
  /** Whether the viewer only watches. */
  disableInput?: boolean;
  /**
   * When players of a console have an on-screen pad; default `auto`: if touch is the main input. Viewers who only watch
   * have none.
   */
  touchPad?: TouchPadOption;
  /**
   * What the viewer is called, where the session was started with `user_names`: at most 256 characters, of which others
   * see 40. A name that the participant webhook gives comes first.
   */
  name?: string;
  /**
   * The language of what viewers read, as a tag such as `de`, `pt-BR` or `zh-TW`: English, where there is no table for it.
   * Default: the first of the browser's languages that there is a table for.
   */
  lang?: string;
  /** Passed to the participant webhook as `userdata`: anything that JSON can express. */
  webhookUserdata?: unknown;
  /** Keeps the last picture in view, without a sentence over it, while the connection is lost and after the end. */
  persistScreen?: boolean;
  /**
   * Draws other viewers' pointers, with their names for who has the role `user_list`, otherwise with the first letters of
   * their IDs; needs the role `cursor_data`.
   */
  showCursors?: boolean;
  /**
   * Called with every frame, for use as a texture or the like; the SDK then draws none itself. A frame is a
   * `VideoFrame`, or an `ImageBitmap` on pages without WebCodecs. It is closed when the function returns: copy it to
   * keep it (`frame.clone()`, `createImageBitmap(frame)`).
   */
  frameCb?: (frame: VideoFrame | ImageBitmap) => void;
  /**
   * Called once with the session's video as a track; the SDK then draws none itself. Excludes `frameCb`.
   */
  videoTrackCb?: (track: MediaStreamTrack) => void;
  /** Called once with the session's audio as a track; the SDK then plays none itself. `volume` applies to the track. */
  audioTrackCb?: (track: MediaStreamTrack) => void;
  /** Another viewer's pointer has moved or disappeared; needs the role `cursor_data`. */
  onCursor?: (event: CursorEvent) => void;
  /** This viewer's permissions, initially and after each change. */
  onAccessChange?: (access: Access) => void;
  /** Who has the session in private: once somebody has, and on every change. */
  onPrivacyChange?: (privacy: Privacy) => void;
  /** The players of a console: all its seats, initially and after each change. */
  onSeats?: (seats: readonly Seat[]) => void;
  /** The state of a console's game: initially, and whenever it is paused or resumed, or its speed or disc changes. */
  onGameState?: (state: GameState) => void;
  /** The windows of a browser, oldest first: initially and after each change; needs the role `control`. */
  onWindows?: (windows: readonly BrowserWindow[]) => void;
  /** The session is over for this viewer; no reconnection follows. `code`: what went wrong with an Android device. */
  onDisconnect?: (event: { type: DisconnectType; code?: TerminationCode }) => void;
  /** A file was downloaded in the session, now or before this viewer joined; needs the role `file_download`. */
  onDownload?: (download: Download) => void;
  /**
   * A page in the session asks for files: upload them, and pass them to `files.choose`, or call `files.cancel`. Null when
   * it no longer does. Needs the roles `file_upload` and `control`. While nobody has
   * this callback, pages are told that nothing was chosen.
   */
  onFileChooser?: (chooser: FileChooser | null) => void;
  /**
   * The dialogs that are open in the browser, oldest first, on every change: `dialogs.accept` and `dialogs.dismiss` answer
   * them. Needs the role `control`.
   */
  onDialogs?: (dialogs: readonly Dialog[]) => void;
  /**
   * The viewer has left the picture by the keyboard, with Ctrl, Alt and Shift pressed together and released; moves the
   * focus to where it goes on. Without it the focus moves to what follows the container on the page.
   */
  onKeyboardLeave?: () => void;
  /** A sentence for the viewer: a limitation of this browser or of the device, or text that was too large to paste. */
  onNotice?: (sentence: string) => void;
  /** The session will end soon; null when that was cancelled. */
  onCloseWarning?: (event: CloseWarningEvent | null) => void;
  /** The display's size in pixels, initially and whenever it changes. */
  onResize?: (size: Size) => void;
  /**
   * The service has refused what has no answer of its own: `code` is `admin_token_invalid` for an `adminToken` that is
   * not the session's, `role_required`, `not_resizable` or `too_large` for `resize`, `clipboard_too_large`.
   */
  onError?: (error: CallError) => void;
  /** The connection's state has changed. */
  onConnectionStateChange?: (event: { state: ConnectionState }) => void;
}

const MAX_PLAYOUT_DELAY_MS = 5000;

/** What `playoutDelay: true` means. */
const USUAL_PLAYOUT_DELAY_MS = 200;

const isFraction = (value: unknown) => typeof value === 'number' && value >= 0 && value <= 1;
const isBoolean = (value: unknown) => typeof value === 'boolean';
const isFunction = (value: unknown) => typeof value === 'function';
const isObject = (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value);

const RULES: Record<keyof BerthOptions, { holds: (value: unknown) => boolean; must: string }> = {
  adminToken: { holds: value => typeof value === 'string', must: 'be a string' },
  timeout: { holds: value => typeof value === 'number' && value > 0, must: 'be a number of milliseconds above 0' },
  volume: { holds: isFraction, must: 'be a number from 0 to 1' },
  videoPaused: { holds: isBoolean, must: 'be a boolean' },
  playoutDelay: {
    holds: value => isBoolean(value) || (typeof value === 'number' && value >= 0 && value <= MAX_PLAYOUT_DELAY_MS),
    must: `be a number of milliseconds from 0 to ${MAX_PLAYOUT_DELAY_MS}, or a boolean`,
  },
  delegateKeyboard: { holds: isBoolean, must: 'be a boolean' },
  disableInput: { holds: isBoolean, must: 'be a boolean' },
  touchPad: { holds: value => ['auto', 'on', 'off'].includes(value as string), must: 'be auto, on or off' },
  name: {
    holds: value => typeof value === 'string' && value.length <= 256,
    must: 'be a string of at most 256 characters',
  },
  lang: {
    holds: value => typeof value === 'string' && isLanguageTag(value),
    must: 'be a language tag, such as de or pt-BR',
  },
  webhookUserdata: { holds: isJson, must: 'be what JSON can express' },
  persistScreen: { holds: isBoolean, must: 'be a boolean' },
  showCursors: { holds: isBoolean, must: 'be a boolean' },
  frameCb: { holds: isFunction, must: 'be a function' },
  videoTrackCb: { holds: isFunction, must: 'be a function' },
  audioTrackCb: { holds: isFunction, must: 'be a function' },
  onCursor: { holds: isFunction, must: 'be a function' },
  onPrivacyChange: { holds: isFunction, must: 'be a function' },
  onUsers: { holds: isFunction, must: 'be a function' },
  onUserJoined: { holds: isFunction, must: 'be a function' },
  onUserLeft: { holds: isFunction, must: 'be a function' },
  onUserChanged: { holds: isFunction, must: 'be a function' },
  onAccessChange: { holds: isFunction, must: 'be a function' },
  onSeats: { holds: isFunction, must: 'be a function' },
  onGameState: { holds: isFunction, must: 'be a function' },
  onWindows: { holds: isFunction, must: 'be a function' },
  onDisconnect: { holds: isFunction, must: 'be a function' },
  onDownload: { holds: isFunction, must: 'be a function' },
  onFileChooser: { holds: isFunction, must: 'be a function' },
  onDialogs: { holds: isFunction, must: 'be a function' },
  onKeyboardLeave: { holds: isFunction, must: 'be a function' },
  onNotice: { holds: isFunction, must: 'be a function' },
  onCloseWarning: { holds: isFunction, must: 'be a function' },
  onResize: { holds: isFunction, must: 'be a function' },
  onError: { holds: isFunction, must: 'be a function' },
  onConnectionStateChange: { holds: isFunction, must: 'be a function' },
};

/** Validates options. Undefined ones count as absent. @throws TypeError that names the invalid one */
export function checkOptions(options: unknown): asserts options is BerthOptions {
  if (!isObject(options)) throw new TypeError('options must be an object');
  for (const [name, { holds, must }] of Object.entries(RULES)) {
    const value = (options as Record<string, unknown>)[name];
    if (value !== undefined && !holds(value)) throw new TypeError(`${name} must ${must}`);
  }
  const { frameCb, videoTrackCb } = options as BerthOptions;
  if (frameCb !== undefined && videoTrackCb !== undefined) throw new TypeError('frameCb excludes videoTrackCb');
}

/** Validates a member that is set later by the rule of its option. @throws TypeError that names it */
export function checkSetting(name: 'volume' | 'videoPaused' | 'playoutDelay' | SwitchName, value: unknown): void {
  if (!RULES[name].holds(value)) throw new TypeError(`${name} must ${RULES[name].must}`);
}

type SwitchName = 'delegateKeyboard' | 'disableInput' | 'showCursors';

/** The playout delay in milliseconds. */
export const playoutDelayMs = (delay: number | boolean): number =>
  typeof delay === 'number' ? delay : delay ? USUAL_PLAYOUT_DELAY_MS : 0;

function isJson(value: unknown): boolean {
  try {
    return JSON.stringify(value) !== undefined;
  } catch {
    return false;
  }
}

import type { GameState, Seat } from '../../protocol/api/console.js';
import type { BrowserWindow } from '../../protocol/api/windows.js';
import type { TerminationCode } from '../../protocol/generated/schemas.js';
import type { Dialog } from './dialogs.js';
import type { DisconnectType } from './errors.js';
import type { TouchPadOption } from './pad/console-pads.js';
import type { Access } from './permissions.js';

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
export interface BerthOptions {
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
   */
  playoutDelay?: number;
  /** Whether keys pressed anywhere on the page go to the session, default true. Fields and buttons keep theirs. */
  delegateKeyboard?: boolean;
  /** Whether the viewer only watches. */
  disableInput?: boolean;
  /**
   * When players of a console have an on-screen pad; default `auto`: if touch is the main input. Viewers who only watch
   * have none.
   */
  touchPad?: TouchPadOption;
  /** Passed to the participant webhook as `userdata`. */
  webhookUserdata?: object;
  /** Draws other viewers' pointers, with the first letters of their IDs; needs the role `cursor_data`. */
  showCursors?: boolean;
  /**
   * Called with every frame, for use as a texture or the like; the SDK then draws none itself. A frame is a
   * `VideoFrame`, or an `ImageBitmap` on pages without WebCodecs. It is closed when the function returns: copy it to
   * keep it (`frame.clone()`, `createImageBitmap(frame)`).
   */
  frameCb?: (frame: VideoFrame | ImageBitmap) => void;
  /** Called once with the session's audio as a track; the SDK then plays none itself. `volume` applies to the track. */
  audioTrackCb?: (track: MediaStreamTrack) => void;
  /** Another viewer's pointer has moved or disappeared; needs the role `cursor_data`. */
  onCursor?: (event: CursorEvent) => void;
  /** This viewer's permissions, initially and after each change. */
  onAccessChange?: (access: Access) => void;
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
  /** A sentence for the viewer: a limitation of this browser or of the device, or text that was too large to paste. */
  onNotice?: (sentence: string) => void;
  /** The session will end soon; null when that was cancelled. */
  onCloseWarning?: (event: CloseWarningEvent | null) => void;
  /** The connection's state has changed. */
  onConnectionStateChange?: (event: { state: ConnectionState }) => void;
}

const MAX_PLAYOUT_DELAY_MS = 5000;

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
    holds: value => typeof value === 'number' && value >= 0 && value <= MAX_PLAYOUT_DELAY_MS,
    must: `be a number of milliseconds from 0 to ${MAX_PLAYOUT_DELAY_MS}`,
  },
  delegateKeyboard: { holds: isBoolean, must: 'be a boolean' },
  disableInput: { holds: isBoolean, must: 'be a boolean' },
  touchPad: { holds: value => ['auto', 'on', 'off'].includes(value as string), must: 'be auto, on or off' },
  webhookUserdata: { holds: isObject, must: 'be an object' },
  showCursors: { holds: isBoolean, must: 'be a boolean' },
  frameCb: { holds: isFunction, must: 'be a function' },
  audioTrackCb: { holds: isFunction, must: 'be a function' },
  onCursor: { holds: isFunction, must: 'be a function' },
  onAccessChange: { holds: isFunction, must: 'be a function' },
  onSeats: { holds: isFunction, must: 'be a function' },
  onGameState: { holds: isFunction, must: 'be a function' },
  onWindows: { holds: isFunction, must: 'be a function' },
  onDisconnect: { holds: isFunction, must: 'be a function' },
  onDownload: { holds: isFunction, must: 'be a function' },
  onFileChooser: { holds: isFunction, must: 'be a function' },
  onDialogs: { holds: isFunction, must: 'be a function' },
  onNotice: { holds: isFunction, must: 'be a function' },
  onCloseWarning: { holds: isFunction, must: 'be a function' },
  onConnectionStateChange: { holds: isFunction, must: 'be a function' },
};

/** Validates options. Undefined ones count as absent. @throws TypeError that names the invalid one */
export function checkOptions(options: unknown): asserts options is BerthOptions {
  if (!isObject(options)) throw new TypeError('options must be an object');
  for (const [name, { holds, must }] of Object.entries(RULES)) {
    const value = (options as Record<string, unknown>)[name];
    if (value !== undefined && !holds(value)) throw new TypeError(`${name} must ${must}`);
  }
}

/** @throws TypeError if the volume is not a number from 0 to 1 */
export function checkVolume(volume: unknown): asserts volume is number {
  if (!isFraction(volume)) throw new TypeError(`volume must ${RULES.volume.must}`);
}

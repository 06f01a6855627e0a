import type { GameState, Seat } from '../../protocol/api/console.js';
import type { DisconnectType } from './errors.js';
import type { TouchPadOption } from './pad/console-pads.js';
import type { Access } from './permissions.js';

/** How the connection to the session stands. `failed` is final. */
export type ConnectionState = 'connecting' | 'playing' | 'reconnecting' | 'failed';

/** The session ends soon. */
export interface CloseWarningEvent {
  type: 'absolute' | 'inactive' | 'offline';
  deadline: {
    /** Milliseconds from now. */
    delay: number;
    /** RFC 3339. */
    closeDate: string;
  };
}

/** Where another viewer's pointer is. */
export interface CursorEvent {
  /** From 0 (left) to 1 (right); null when the pointer is gone. */
  x: number | null;
  /** From 0 (top) to 1 (bottom); null when the pointer is gone. */
  y: number | null;
  userId: string;
}

export interface BerthOptions {
  /** The session's `admin_token`: its holder may do everything. */
  adminToken?: string;
  /** How long to wait for the session's first answer, in milliseconds; 2000 where absent. */
  timeout?: number;
  /** From 0 to 1, default 1. */
  volume?: number;
  /** Starts without video. */
  videoPaused?: boolean;
  /**
   * Milliseconds from 0 to 5000 by which picture and sound are held back so that they play evenly on an uneven
   * network; default 0.
   */
  playoutDelay?: number;
  /** Keys pressed anywhere on the page go to the session, default true. Fields and buttons keep theirs. */
  delegateKeyboard?: boolean;
  /** The viewer only watches. */
  disableInput?: boolean;
  /**
   * When players of a console have a pad on the screen; default `auto`: where fingers are the main way to point.
   * Those who only watch have none.
   */
  touchPad?: TouchPadOption;
  /** Given to the participant webhook as `userdata`. */
  webhookUserdata?: object;
  /** Draws the pointers of the other viewers, with the first letters of their IDs; needs the role `cursor_data`. */
  showCursors?: boolean;
  /**
   * Is given every frame, to be used as a texture or the like; the SDK then draws none itself. A frame is a
   * `VideoFrame`, on pages without WebCodecs an `ImageBitmap`. It is closed when the function returns: one that is
   * needed for longer must be copied (`frame.clone()`, `createImageBitmap(frame)`).
   */
  frameCb?: (frame: VideoFrame | ImageBitmap) => void;
  /** Is given the session's sound as a track, once; the SDK then plays none itself. `volume` acts on the track. */
  audioTrackCb?: (track: MediaStreamTrack) => void;
  /** Another viewer's pointer has moved or is gone; needs the role `cursor_data`. */
  onCursor?: (event: CursorEvent) => void;
  /** What this viewer may do: at first, and whenever it changes. */
  onAccessChange?: (access: Access) => void;
  /** Who plays a console: all its seats, at first and whenever one changes hands. */
  onSeats?: (seats: readonly Seat[]) => void;
  /** How the game of a console runs: at first, and whenever it is paused, goes on, or is played faster. */
  onGameState?: (state: GameState) => void;
  /** It is over; no reconnecting follows. */
  onDisconnect?: (event: { type: DisconnectType }) => void;
  /** The session ends soon; null when it does not any more. */
  onCloseWarning?: (event: CloseWarningEvent | null) => void;
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
  onDisconnect: { holds: isFunction, must: 'be a function' },
  onCloseWarning: { holds: isFunction, must: 'be a function' },
  onConnectionStateChange: { holds: isFunction, must: 'be a function' },
};

/**
 * Checks options. Those that are undefined count as absent.
 * @throws TypeError that names the wrong one
 */
export function checkOptions(options: unknown): asserts options is BerthOptions {
  if (!isObject(options)) throw new TypeError('options must be an object');
  for (const [name, { holds, must }] of Object.entries(RULES)) {
    const value = (options as Record<string, unknown>)[name];
    if (value !== undefined && !holds(value)) throw new TypeError(`${name} must ${must}`);
  }
}

/** @throws TypeError where the volume is not a number from 0 to 1 */
export function checkVolume(volume: unknown): asserts volume is number {
  if (!isFraction(volume)) throw new TypeError(`volume must ${RULES.volume.must}`);
}

import type { DisconnectType } from './errors.js';

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

export interface BerthOptions {
  /** The session's `admin_token`: its holder may do everything. */
  adminToken?: string;
  /** How long to wait for the session's first answer, in milliseconds; 2000 where absent. */
  timeout?: number;
  /** From 0 to 1, default 1. */
  volume?: number;
  /** Starts without video. */
  videoPaused?: boolean;
  /** Keys pressed anywhere on the page go to the session, default true. Fields and buttons keep theirs. */
  delegateKeyboard?: boolean;
  /** The viewer only watches. */
  disableInput?: boolean;
  /** Given to the participant webhook as `userdata`. */
  webhookUserdata?: object;
  onDisconnect?: (event: { type: DisconnectType }) => void;
  /** The session ends soon; null when it does not any more. */
  onCloseWarning?: (event: CloseWarningEvent | null) => void;
  onConnectionStateChange?: (event: { state: ConnectionState }) => void;
}

const isFraction = (value: unknown) => typeof value === 'number' && value >= 0 && value <= 1;
const isBoolean = (value: unknown) => typeof value === 'boolean';
const isFunction = (value: unknown) => typeof value === 'function';
const isObject = (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value);

const RULES: Record<keyof BerthOptions, { holds: (value: unknown) => boolean; must: string }> = {
  adminToken: { holds: value => typeof value === 'string', must: 'be a string' },
  timeout: { holds: value => typeof value === 'number' && value > 0, must: 'be a number of milliseconds above 0' },
  volume: { holds: isFraction, must: 'be a number from 0 to 1' },
  videoPaused: { holds: isBoolean, must: 'be a boolean' },
  delegateKeyboard: { holds: isBoolean, must: 'be a boolean' },
  disableInput: { holds: isBoolean, must: 'be a boolean' },
  webhookUserdata: { holds: isObject, must: 'be an object' },
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

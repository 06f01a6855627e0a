import { createPrivateKey, type KeyObject } from 'node:crypto';
import { signToken, TOKEN_BYTES } from '../../../adb/signature.js';
import type { AndroidConfig } from '../../config/index.js';
import { TokenBucket } from '../../lib/token-bucket.js';
import { poolDeviceOf } from '../../model/index.js';
import type { LiveSession } from '../live-session.js';

/** Signatures that one session may have: an agent needs one for each connection to its device. */
const LIMIT = { perSecond: 1, burst: 10 };

/** Signs the tokens of pool devices for the agents of sessions that have one: no container gets the key. */
export class DeviceSigner {
  readonly #key: KeyObject | null;
  /** By session. */
  readonly #limits = new WeakMap<LiveSession, TokenBucket>();

  constructor({ devices }: AndroidConfig) {
    this.#key = devices.type === 'adb' && devices.key !== null ? createPrivateKey(devices.key) : null;
  }

  /** A token's signature, both in base64; null: there is no key; undefined: not for this session, or not so often. */
  sign(live: LiveSession, token: string): string | null | undefined {
    const bytes = Buffer.from(token, 'base64');
    if (poolDeviceOf(live.session.launch) === null) return undefined;
    if (bytes.length !== TOKEN_BYTES || !this.#limit(live).take(performance.now())) return undefined;
    return this.#key && signToken(this.#key, bytes).toString('base64');
  }

  #limit(live: LiveSession): TokenBucket {
    const limit = this.#limits.get(live) ?? new TokenBucket(LIMIT.perSecond, LIMIT.burst);
    this.#limits.set(live, limit);
    return limit;
  }
}

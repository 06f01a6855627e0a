/** How far a viewer is behind. Times in ms. */
export interface Backlog {
  /** Age of the oldest frame not acknowledged, 0 when there is none. */
  ageMs: number;
  /** The path's round trip when nothing queues. */
  baseMs: number;
  /** Since a frame was last sent or acknowledged. */
  quietMs: number;
  /** Frames not acknowledged. */
  frames: number;
  /** Whether a ping that followed frames is unanswered. */
  isPathBusy: boolean;
  /** Bytes that wait in the socket, outside the kernel. */
  socketBytes: number;
}

/** Backlog that a viewer may have. */
export const BUDGET_MS = 600;

/** The same while a key frame, many times larger than other frames, may be under way. */
export const KEY_BUDGET_MS = 1000;

/** How long after a key frame the larger budget holds. */
const KEY_GRACE_MS = 2000;

/** Protects memory where frames are large; time decides everywhere else. */
const SOCKET_BUDGET_BYTES = 4 << 20;

/** Frames under way at most: eight seconds at 60 frames a second. */
const MAX_FRAMES = 480;

/** A viewer causes at most one key frame in this time. */
export const KEY_INTERVAL_MS = 1000;

/**
 * Silence after which a key frame is tried although frames that have arrived are not acknowledged. Doubles with every
 * try in vain: others should not pay for a viewer that shows nothing.
 */
export const SILENCE_MS = 2000;
export const MAX_SILENCE_MS = 16_000;

/**
 * Decides which frames one viewer gets. Closed until a key frame; over the budget it closes, and what the
 * encoder makes until the next key frame is dropped. It opens again once the viewer has caught up, so that a
 * key frame is not added to the backlog that closed it.
 */
export class FrameDropper {
  #state: 'open' | 'closed' = 'closed';
  #keyAt = -Infinity;
  #askedAt = -Infinity;
  #silenceMs = SILENCE_MS;

  get state(): 'open' | 'closed' {
    return this.#state;
  }

  /** Whether to send a frame. */
  offer(key: boolean, backlog: Backlog, now: number): boolean {
    if (this.#state === 'open') {
      if (!this.#isOver(backlog, now)) {
        if (key) this.#keyAt = now;
        return true;
      }
      this.#state = 'closed';
      return false;
    }
    if (!key || !this.#hasCaughtUp(backlog)) return false;
    if (backlog.frames > 0) this.#silenceMs = Math.min(MAX_SILENCE_MS, this.#silenceMs * 2);
    this.#state = 'open';
    this.#keyAt = now;
    return true;
  }

  /** Whether a key frame should be asked for now. */
  wantsKey(backlog: Backlog, now: number): boolean {
    return this.#state === 'closed' && now - this.#askedAt >= KEY_INTERVAL_MS && this.#hasCaughtUp(backlog);
  }

  /** A key frame was asked for. */
  asked(now: number): void {
    this.#askedAt = now;
  }

  /** The viewer lives: it acknowledged something. */
  acknowledged(): void {
    this.#silenceMs = SILENCE_MS;
  }

  /** Nothing passes until the next key frame. */
  close(): void {
    this.#state = 'closed';
  }

  #isOver(backlog: Backlog, now: number): boolean {
    const budget = now - this.#keyAt < KEY_GRACE_MS ? KEY_BUDGET_MS : BUDGET_MS;
    return (
      backlog.ageMs > backlog.baseMs + budget ||
      backlog.socketBytes > SOCKET_BUDGET_BYTES ||
      backlog.frames >= MAX_FRAMES
    );
  }

  /** Everything was shown; or everything arrived, and nothing was shown for so long that a key frame is worth a try. */
  #hasCaughtUp(backlog: Backlog): boolean {
    if (backlog.frames === 0) return true;
    return !backlog.isPathBusy && backlog.quietMs >= this.#silenceMs;
  }
}

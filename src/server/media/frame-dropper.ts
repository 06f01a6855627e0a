/** The backlog of a viewer. Times in ms. */
export interface Backlog {
  /** Age of the oldest unacknowledged frame, 0 if there is none. */
  ageMs: number;
  /** The path's round trip without queueing. */
  baseMs: number;
  /** Time since a frame was last sent or acknowledged. */
  quietMs: number;
  /** Number of unacknowledged frames. */
  frames: number;
  /** Whether a ping that followed frames is unanswered. */
  isPathBusy: boolean;
  /** Bytes that wait in the socket's user-space buffer. */
  socketBytes: number;
}

/** Maximum backlog of a viewer. */
export const BUDGET_MS = 600;

/** The same while a key frame, many times larger than other frames, may be in flight. */
export const KEY_BUDGET_MS = 1000;

/** How long the larger budget lasts after a key frame. */
const KEY_GRACE_MS = 2000;

/** Bounds memory when frames are large; in all other cases the time limit applies first. */
const SOCKET_BUDGET_BYTES = 4 << 20;

/** Maximum number of frames in flight: eight seconds at 60 frames per second. */
const MAX_FRAMES = 480;

/** Minimum interval between key frames requested for one viewer. */
export const KEY_INTERVAL_MS = 1000;

/**
 * Silence after which a key frame is tried although delivered frames are not acknowledged. Doubles with every
 * unsuccessful attempt, since a viewer that displays nothing should not cost the others.
 */
export const SILENCE_MS = 2000;
export const MAX_SILENCE_MS = 16_000;

/**
 * Decides which frames one viewer gets. Closed until a key frame arrives; if the budget is exceeded it closes, and all
 * frames until the next key frame are dropped. It reopens only once the viewer has caught up, so that a key frame does
 * not add to the backlog that closed it.
 */
export class FrameDropper {
  #state: 'open' | 'closed' = 'closed';
  #keyAt = -Infinity;
  #askedAt = -Infinity;
  #silenceMs = SILENCE_MS;
  #isBehind = false;

  get state(): 'open' | 'closed' {
    return this.#state;
  }

  /** Whether frames are dropped because of the backlog. */
  get isBehind(): boolean {
    return this.#isBehind;
  }

  /** Whether to send a frame. */
  offer(key: boolean, backlog: Backlog, now: number): boolean {
    if (this.#state === 'open') {
      if (!this.#isOver(backlog, now)) {
        if (key) this.#keyAt = now;
        return true;
      }
      this.#state = 'closed';
      this.#isBehind = true;
      return false;
    }
    if (!key || !this.#hasCaughtUp(backlog)) return false;
    if (backlog.frames > 0) this.#silenceMs = Math.min(MAX_SILENCE_MS, this.#silenceMs * 2);
    this.#state = 'open';
    this.#isBehind = false;
    this.#keyAt = now;
    return true;
  }

  /** Whether to request a key frame now; while open, of another layer. */
  wantsKey(backlog: Backlog, now: number): boolean {
    return (this.#state === 'open' || this.#hasCaughtUp(backlog)) && now - this.#askedAt >= KEY_INTERVAL_MS;
  }

  /** A key frame was requested. */
  asked(now: number): void {
    this.#askedAt = now;
  }

  /** The viewer is alive: it acknowledged something. */
  acknowledged(): void {
    this.#silenceMs = SILENCE_MS;
  }

  /** Drops everything until the next key frame. */
  close(): void {
    this.#state = 'closed';
    this.#isBehind = false;
  }

  #isOver(backlog: Backlog, now: number): boolean {
    const budget = now - this.#keyAt < KEY_GRACE_MS ? KEY_BUDGET_MS : BUDGET_MS;
    return (
      backlog.ageMs > backlog.baseMs + budget ||
      backlog.socketBytes > SOCKET_BUDGET_BYTES ||
      backlog.frames >= MAX_FRAMES
    );
  }

  /**
   * Everything was displayed; or everything was delivered, and nothing was displayed for so long that a key frame is
   * worth a try.
   */
  #hasCaughtUp(backlog: Backlog): boolean {
    if (backlog.frames === 0) return true;
    return !backlog.isPathBusy && backlog.quietMs >= this.#silenceMs;
  }
}

/** This many frames within this time are a steady stream: from 20 a second. */
const STEADY_FRAMES = 8;
const STEADY_MS = 400;
/** A frame that arrives this shortly before a refresh might as well have missed it, in milliseconds. */
const MARGIN_MS = 3;
/** A held frame that was not needed for so long is given up, in milliseconds: the arrivals' jitter allows that. */
const NEEDED_WITHIN_MS = 2000;
/** A screen that has not been refreshed for so long is not seen, in milliseconds. */
export const UNSEEN_MS = 100;

/**
 * Decides when frames are presented, so that no two share one refresh of the screen, which shows only the last of them.
 * Frames of a steady stream wait for the next refresh, and one more is held for the refresh after it once a refresh
 * came without a frame: as long as frames arrive less regularly than the screen is refreshed. All others are presented
 * at once. Times are in milliseconds of any monotonic clock.
 */
export class FramePacer<T> {
  readonly #mayPace: (now: number) => boolean;
  readonly #drop: (item: T) => void;
  /** Oldest first; at most the one for the next refresh, and the one after it. */
  #waiting: { item: T; since: number }[] = [];
  /** Of the latest frames, oldest first. */
  readonly #arrivals: number[] = [];
  /** When a frame last started to wait for a refresh, or was presented. */
  #waitingSince = -Infinity;
  /** When the held frame last made a difference. */
  #neededAt = -Infinity;

  /**
   * @param mayPace whether frames may be delayed for even motion at all now
   * @param drop called with a frame that will not be presented
   */
  constructor(mayPace: (now: number) => boolean, drop: (item: T) => void) {
    this.#mayPace = mayPace;
    this.#drop = drop;
  }

  /** Whether frames wait for a refresh. */
  get isWaiting(): boolean {
    return this.#waiting.length > 0;
  }

  /** Adds a frame; returns the one to present at once. `more` means that a newer one follows immediately. */
  add(item: T, now: number, more = false): T | null {
    const isSteady = this.#isSteady(now);
    if (!this.isWaiting) this.#waitingSince = now;
    this.#waiting.push({ item, since: now });
    if (isSteady && now - this.#waitingSince < UNSEEN_MS && this.#mayPace(now)) {
      this.#dropAllBut(2);
      return null;
    }
    this.#dropAllBut(1);
    return more ? null : this.#next();
  }

  /** The screen is about to be refreshed; returns the frame to present. */
  refresh(now: number): T | null {
    const held = this.#waiting[1];
    if (held === undefined || now - held.since < MARGIN_MS) this.#neededAt = now;
    else if (now - this.#neededAt > NEEDED_WITHIN_MS) {
      this.#dropAllBut(1);
      this.#neededAt = now;
    }
    this.#waitingSince = now;
    return this.#next();
  }

  /** Returns the newest frame, to be presented without a refresh. */
  flush(): T | null {
    this.#dropAllBut(1);
    return this.#next();
  }

  /** Drops all waiting frames. */
  clear(): void {
    this.#dropAllBut(0);
  }

  #isSteady(now: number): boolean {
    this.#arrivals.push(now);
    if (this.#arrivals.length > STEADY_FRAMES) this.#arrivals.shift();
    return this.#arrivals.length === STEADY_FRAMES && now - (this.#arrivals[0] ?? now) <= STEADY_MS;
  }

  #next(): T | null {
    return this.#waiting.shift()?.item ?? null;
  }

  /** Drops all but the newest frames. */
  #dropAllBut(count: number): void {
    for (const { item } of this.#waiting.splice(0, this.#waiting.length - count)) this.#drop(item);
  }
}

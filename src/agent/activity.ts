import type { Activity } from '../protocol/generated/schemas.js';

/** Changes are told at most this often, in milliseconds. */
export const ACTIVITY_INTERVAL = 500;

/** Milliseconds of a clock that never goes back. */
export type Clock = () => number;

/** Knows when the last input came and since when nobody watches. */
export class ActivityMeter {
  readonly #clock: Clock;
  readonly #tell: (activity: Activity) => void;
  #lastInput: number;
  #offlineSince: number | null;
  #told = -Infinity;
  #timer: NodeJS.Timeout | undefined;

  constructor(tell: (activity: Activity) => void, clock: Clock = () => performance.now()) {
    this.#clock = clock;
    this.#tell = tell;
    this.#lastInput = clock();
    this.#offlineSince = clock();
  }

  /** Counts from now on: the session has begun. */
  launched(): void {
    this.#lastInput = this.#clock();
    if (this.#offlineSince !== null) this.#offlineSince = this.#clock();
    this.#now();
  }

  /** Somebody did something. */
  input(): void {
    this.#lastInput = this.#clock();
    this.#soon();
  }

  /** So many viewers are connected, over all links. Told at once if it is the first or was the last. */
  viewers(count: number): void {
    const isOffline = count === 0;
    if (isOffline === (this.#offlineSince !== null)) return;
    this.#offlineSince = isOffline ? this.#clock() : null;
    this.#now();
  }

  current(): Activity {
    const now = this.#clock();
    return {
      type: 'activity',
      idle_ms: Math.round(now - this.#lastInput),
      offline_ms: this.#offlineSince === null ? null : Math.round(now - this.#offlineSince),
    };
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  #soon(): void {
    if (this.#timer) return;
    const wait = this.#told + ACTIVITY_INTERVAL - this.#clock();
    if (wait <= 0) this.#now();
    else this.#timer = setTimeout(() => this.#now(), wait);
  }

  #now(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#told = this.#clock();
    this.#tell(this.current());
  }
}

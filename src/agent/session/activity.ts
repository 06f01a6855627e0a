import type { Activity } from '../../protocol/generated/schemas.js';
import { hasFields, isNumber, type Handover } from '../handover/handover.js';

/** Minimum interval between reports of changes, in milliseconds. */
export const ACTIVITY_INTERVAL = 500;

/** Milliseconds of a monotonic clock that is the same in all processes of the machine. */
export type Clock = () => number;

const sinceBoot: Clock = () => Number(process.hrtime.bigint() / 1000n) / 1000;

/** What the next agent needs to continue, by that clock. */
interface Left {
  readonly lastInput: number;
  /** Null while somebody watches. */
  readonly offlineSince: number | null;
}

const NAME = 'activity';
const isLeft = (value: unknown): value is Left =>
  hasFields(value, { lastInput: isNumber, offlineSince: field => field === null || isNumber(field) });

/** Tracks when the last input arrived and since when nobody watches. */
export class ActivityMeter {
  readonly #clock: Clock;
  readonly #tell: (activity: Activity) => void;
  readonly #handover: Handover | undefined;
  #lastInput: number;
  #offlineSince: number | null;
  #told = -Infinity;
  #timer: NodeJS.Timeout | undefined;

  constructor(tell: (activity: Activity) => void, clock = sinceBoot, handover?: Handover) {
    this.#clock = clock;
    this.#tell = tell;
    this.#handover = handover;
    const left = handover?.read(NAME, isLeft);
    const now = clock();
    this.#lastInput = Math.min(left?.lastInput ?? now, now);
    // Viewers lost the previous agent together with its links.
    this.#offlineSince = Math.min(left?.offlineSince ?? now, now);
  }

  /** Starts counting: the session has begun. */
  launched(): void {
    this.#lastInput = this.#clock();
    if (this.#offlineSince !== null) this.#offlineSince = this.#clock();
    this.#now();
  }

  /** Records input. */
  input(): void {
    this.#lastInput = this.#clock();
    this.#soon();
  }

  /** Sets the number of viewers over all links. The first arrival and the last departure are reported immediately. */
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
    this.#handover?.write(NAME, { lastInput: this.#lastInput, offlineSince: this.#offlineSince } satisfies Left);
    this.#tell(this.current());
  }
}

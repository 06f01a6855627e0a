/** Lag, in milliseconds, above which a decoder drops its queue and resumes with a key frame. */
export const MAX_LAG_MS = 200;
/** Allowance for a decoder's first frame, while hardware is being set up. */
export const MAX_START_MS = 2000;
/** A shorter queue is not worth a key frame. */
const MIN_BACKLOG = 4;

/** Tracks which frames are in a decoder, and since when. Times are in milliseconds. */
export class FlowControl {
  readonly #inside = new Map<number, number>();
  #started = false;

  /** A frame enters the decoder. */
  submitted(frame: number, now: number): void {
    this.#inside.set(frame, now);
  }

  /** A frame was decoded; earlier ones will not be any more. */
  decoded(frame: number): void {
    this.#started = true;
    for (const older of this.#inside.keys()) {
      this.#inside.delete(older);
      if (older === frame) break;
    }
  }

  /** How long the oldest frame has been in the decoder. */
  lag(now: number): number {
    for (const since of this.#inside.values()) return now - since;
    return 0;
  }

  /** Whether the decoder cannot keep up. */
  overloaded(now: number): boolean {
    return this.#inside.size >= MIN_BACKLOG && this.lag(now) > (this.#started ? MAX_LAG_MS : MAX_START_MS);
  }

  /** Whether the decoder swallows frames silently: not a single one has come out. */
  stalled(now: number): boolean {
    return this.lag(now) > MAX_START_MS;
  }

  reset(): void {
    this.#inside.clear();
    this.#started = false;
  }
}

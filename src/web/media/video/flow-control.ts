/** A decoder this far behind, in milliseconds, drops what it has and goes on with a key frame. */
export const MAX_LAG_MS = 200;
/** The first frame of a decoder may take this long: hardware is being set up. */
export const MAX_START_MS = 2000;
/** Fewer frames than these are not worth a key frame. */
const MIN_BACKLOG = 4;

/** Knows which frames are inside a decoder, and since when. Times are in milliseconds. */
export class FlowControl {
  readonly #inside = new Map<number, number>();
  #started = false;

  /** A frame goes into the decoder. */
  submitted(frame: number, now: number): void {
    this.#inside.set(frame, now);
  }

  /** A frame came out; older ones will not come any more. */
  decoded(frame: number): void {
    this.#started = true;
    for (const older of this.#inside.keys()) {
      this.#inside.delete(older);
      if (older === frame) break;
    }
  }

  /** How long the oldest frame has been inside. */
  lag(now: number): number {
    for (const since of this.#inside.values()) return now - since;
    return 0;
  }

  /** Whether the decoder cannot keep up. */
  overloaded(now: number): boolean {
    return this.#inside.size >= MIN_BACKLOG && this.lag(now) > (this.#started ? MAX_LAG_MS : MAX_START_MS);
  }

  /** Whether the decoder swallows frames without a word: even a single one has not come out. */
  stalled(now: number): boolean {
    return this.lag(now) > MAX_START_MS;
  }

  reset(): void {
    this.#inside.clear();
    this.#started = false;
  }
}

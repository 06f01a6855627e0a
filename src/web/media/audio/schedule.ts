/** Delay that scheduled sound aims at, and the one above which packets are left out, in seconds. */
export const TARGET_DELAY = 0.12;
export const MAX_DELAY = 0.25;

/**
 * Decides when a buffer of sound starts, for pages without audio worklets. Times are in seconds of the
 * audio context. Null says to leave the buffer out, since too much waits already.
 */
export class Schedule {
  #end = 0;

  place(now: number, duration: number): number | null {
    // At the first packet, and after an underrun, the line is anchored anew.
    const start = this.#end > now ? this.#end : now + TARGET_DELAY;
    if (start - now > MAX_DELAY) return null;
    this.#end = start + duration;
    return start;
  }
}

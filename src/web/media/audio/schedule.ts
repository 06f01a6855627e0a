/** Target delay of scheduled audio, and the delay above which packets are dropped, in seconds. */
export const TARGET_DELAY = 0.12;
export const MAX_DELAY = 0.25;

/**
 * Decides when a buffer of audio starts, for pages without audio worklets. Times are in seconds of the audio context.
 * Null means to drop the buffer, since too much is queued already.
 */
export class Schedule {
  #end = 0;

  place(now: number, duration: number): number | null {
    // At the first packet, and after an underrun, the schedule restarts.
    const start = this.#end > now ? this.#end : now + TARGET_DELAY;
    if (start - now > MAX_DELAY) return null;
    this.#end = start + duration;
    return start;
  }
}

/** A picture is never expected to stand longer than this, in seconds: a still screen sends nothing. */
const LONGEST = 1 / 24;
const SHORTEST = 1 / 120;
/** How much of the way from the old estimate of the frame's duration to the new is gone at each frame. */
const EASING = 0.25;

/**
 * Places frames on the time line of a media element. The line is made of the frames alone: a pause in
 * the stream takes no time on it, so that the element waits at the end for the next frame and then
 * shows it at once. Durations follow the stream's own pace, so that moving pictures play evenly.
 */
export class Timeline {
  #end = 0;
  #duration = SHORTEST;
  #lastTime: number | null = null;

  /** End of the line in seconds. */
  get end(): number {
    return this.#end;
  }

  /** Appends a frame captured at `time` microseconds; answers its place in seconds. */
  append(time: number): { start: number; duration: number } {
    if (this.#lastTime !== null) {
      const interval = Math.min(LONGEST, Math.max(SHORTEST, (time - this.#lastTime) / 1e6));
      this.#duration += (interval - this.#duration) * EASING;
    }
    this.#lastTime = time;
    const start = this.#end;
    this.#end += this.#duration;
    return { start, duration: this.#duration };
  }
}

/** Frames behind at which an element plays a little faster, and much faster; seconds at which it jumps. */
const NEAR = 3;
const FAR = 9;
const LOST_SECONDS = 1;

/** How an element that has yet to show `frames`, `seconds` of the line, comes back to the newest one. */
export function catchUp(frames: number, seconds: number): { rate: number } | 'jump' {
  if (seconds > LOST_SECONDS) return 'jump';
  if (frames >= FAR) return { rate: 2 };
  return { rate: frames >= NEAR ? 1.25 : 1 };
}

/** Upper bound for a frame's duration, in seconds: a still screen sends nothing. */
const LONGEST = 1 / 24;
const SHORTEST = 1 / 120;
/** Smoothing factor of the estimated frame duration. */
const EASING = 0.25;

/**
 * Places frames on the timeline of a media element. The timeline consists of frames alone: a pause in the stream takes
 * no time on it, so that the element waits at its end for the next frame and then displays it immediately. Durations
 * follow the stream's frame rate, so that motion plays evenly.
 */
export class Timeline {
  #end = 0;
  #duration = SHORTEST;
  #lastTime: number | null = null;

  /** End of the timeline in seconds. */
  get end(): number {
    return this.#end;
  }

  /** Appends a frame captured at `time` microseconds; returns its start in seconds. */
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

/** Numbers of pending frames at which an element plays slightly faster, and much faster; seconds at which it jumps. */
const NEAR = 3;
const FAR = 9;
const LOST_SECONDS = 1;

/** How an element with this many `frames` and `seconds` still to display catches up with the newest one. */
export function catchUp(frames: number, seconds: number): { rate: number } | 'jump' {
  if (seconds > LOST_SECONDS) return 'jump';
  if (frames >= FAR) return { rate: 2 };
  return { rate: frames >= NEAR ? 1.25 : 1 };
}

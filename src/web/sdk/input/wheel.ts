const LINE_PIXELS = 40;

/** Pixels of one notch of a wheel; the value of `WheelEvent.wheelDelta` as well. */
export const WHEEL_CLICK = 120;
/** The value of `wheelDelta` per pixel of a touchpad. */
const TOUCHPAD_PIXEL = 3;

/**
 * Wheel movement in pixels, from a WheelEvent's delta in pixels (0), lines (1) or pages (2). `clicks` is the legacy
 * `wheelDelta` of the same axis, which reveals a wheel's notches, 120 pixels each whatever the system turns them into.
 */
export function wheelPixels(delta: number, mode: number, pageLength: number, clicks = 0): number {
  if (clicks !== 0 && clicks % WHEEL_CLICK === 0 && Math.abs(clicks) !== Math.abs(delta) * TOUCHPAD_PIXEL)
    return -clicks;
  if (mode === 1) return delta * LINE_PIXELS;
  return mode === 2 ? delta * pageLength : delta;
}

/** Accumulates fractional movements into whole pixels, carrying the remainder. */
export class WholePixels {
  #rest = 0;

  add(pixels: number): number {
    const sum = this.#rest + pixels;
    const whole = Math.trunc(sum);
    this.#rest = sum - whole;
    return whole;
  }
}

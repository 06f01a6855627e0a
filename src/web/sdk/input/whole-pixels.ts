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

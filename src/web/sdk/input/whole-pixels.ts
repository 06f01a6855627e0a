/** Whole pixels out of movements by fractions of them: what is left over counts with the next. */
export class WholePixels {
  #rest = 0;

  add(pixels: number): number {
    const sum = this.#rest + pixels;
    const whole = Math.trunc(sum);
    this.#rest = sum - whole;
    return whole;
  }
}

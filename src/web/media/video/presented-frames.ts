/** Determines which frames a video element has displayed, from their presentation times. */
export class PresentedFrames {
  readonly #element: HTMLVideoElement;
  readonly #presented: (frame: number) => void;
  #expected: { frame: number; start: number }[] = [];
  #stopped = false;

  constructor(element: HTMLVideoElement, presented: (frame: number) => void) {
    this.#element = element;
    this.#presented = presented;
    this.#wait();
  }

  /** A frame that starts at `start` seconds will be displayed. */
  expect(frame: number, start: number): void {
    this.#expected.push({ frame, start });
  }

  /** Number of frames not displayed yet. */
  get waiting(): number {
    return this.#expected.length;
  }

  stop(): void {
    this.#stopped = true;
    this.#expected = [];
  }

  #wait(): void {
    if ('requestVideoFrameCallback' in this.#element) {
      this.#element.requestVideoFrameCallback((_now, { mediaTime }) => this.#shown(mediaTime));
    } else {
      requestAnimationFrame(() => this.#shown(this.#element.currentTime));
    }
  }

  #shown(time: number): void {
    if (this.#stopped) return;
    // With half a millisecond of tolerance, since browsers round times.
    const later = this.#expected.findIndex(({ start }) => start > time + 0.0005);
    const shown = later < 0 ? this.#expected : this.#expected.slice(0, later);
    const newest = shown.at(-1);
    this.#expected = later < 0 ? [] : this.#expected.slice(later);
    if (newest !== undefined) this.#presented(newest.frame);
    this.#wait();
  }
}

import { Painter } from './painter.js';
import type { FrameRenderer, Size } from './pipeline.js';

interface Waiting {
  picture: VideoFrame;
  frame: number;
  size: Size;
}

/**
 * Draws decoded frames. A frame is drawn as soon as it is decoded, without waiting for the screen's refresh, unless a
 * newer one is about to follow: then only the newest is drawn.
 */
export class CanvasRenderer implements FrameRenderer {
  readonly element = document.createElement('canvas');
  readonly #painter: Painter;
  readonly #drawn: (frame: number) => void;
  #size: Size = { width: 0, height: 0 };
  #waiting: Waiting | null = null;
  #request = 0;
  #state: 'idle' | 'painting' | 'stopped' = 'idle';

  constructor(drawn: (frame: number) => void) {
    const context = this.element.getContext('2d', { alpha: false, desynchronized: true });
    if (context === null) throw new Error('this browser has no canvas');
    this.#painter = new Painter(context);
    this.#drawn = drawn;
  }

  resize(size: Size): void {
    this.#size = size;
  }

  offer(picture: VideoFrame, frame: number, more: boolean): void {
    this.#waiting?.picture.close();
    this.#waiting = { picture, frame, size: this.#size };
    if (!more) void this.#paint();
    else if (this.#request === 0) this.#request = requestAnimationFrame(() => void this.#paint());
  }

  stop(): void {
    this.#state = 'stopped';
    cancelAnimationFrame(this.#request);
    this.#request = 0;
    this.#waiting?.picture.close();
    this.#waiting = null;
  }

  /** Paints the waiting frame, and those that arrived while painting. */
  async #paint(): Promise<void> {
    cancelAnimationFrame(this.#request);
    this.#request = 0;
    if (this.#state !== 'idle') return;
    this.#state = 'painting';
    for (let next = this.#take(); next !== null; next = this.#take()) {
      const { picture, size } = next;
      // A frame that cannot be painted must not block the next one.
      const painted = await this.#painter
        .paint(picture, () => this.#fit(size))
        .then(
          () => true,
          () => false,
        );
      next.picture.close();
      if (this.#isStopped()) return;
      if (painted) this.#drawn(next.frame);
    }
    this.#state = 'idle';
  }

  #fit({ width, height }: Size): void {
    if (this.element.width !== width) this.element.width = width;
    if (this.element.height !== height) this.element.height = height;
  }

  #take(): Waiting | null {
    const waiting = this.#waiting;
    this.#waiting = null;
    return waiting;
  }

  #isStopped(): boolean {
    return this.#state === 'stopped';
  }
}

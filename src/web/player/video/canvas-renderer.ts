import type { Size } from './pipeline.js';

/**
 * Draws decoded frames. A frame is drawn as soon as it is decoded, without waiting for the screen's
 * refresh, unless a newer one is about to follow: then only the newest is drawn.
 */
export class CanvasRenderer {
  readonly canvas = document.createElement('canvas');
  readonly #context: CanvasRenderingContext2D;
  readonly #drawn: (frame: number) => void;
  #size: Size = { width: 0, height: 0 };
  #waiting: { picture: VideoFrame; frame: number } | null = null;
  #request = 0;

  constructor(drawn: (frame: number) => void) {
    const context = this.canvas.getContext('2d', { alpha: false, desynchronized: true });
    if (context === null) throw new Error('this browser has no canvas');
    this.#context = context;
    this.#drawn = drawn;
  }

  /** Size of the pictures from now on; what a picture has beyond it is cropped. */
  resize(size: Size): void {
    this.#size = size;
  }

  /** Takes over a picture. `more` says that newer ones are already being decoded. */
  offer(picture: VideoFrame, frame: number, more: boolean): void {
    this.#waiting?.picture.close();
    this.#waiting = { picture, frame };
    if (!more) this.#draw();
    else if (this.#request === 0) this.#request = requestAnimationFrame(() => this.#draw());
  }

  stop(): void {
    cancelAnimationFrame(this.#request);
    this.#request = 0;
    this.#waiting?.picture.close();
    this.#waiting = null;
  }

  #draw(): void {
    cancelAnimationFrame(this.#request);
    this.#request = 0;
    if (this.#waiting === null) return;
    const { picture, frame } = this.#waiting;
    this.#waiting = null;
    const { width, height } = this.#size;
    if (this.canvas.width !== width) this.canvas.width = width;
    if (this.canvas.height !== height) this.canvas.height = height;
    this.#context.drawImage(picture, 0, 0);
    picture.close();
    this.#drawn(frame);
  }
}

import type { Size } from '../../lib/geometry.js';
import type { FrameCallback, FrameRenderer } from './pipeline.js';

/** Passes decoded frames to a callback instead of drawing them. */
export class CallbackRenderer implements FrameRenderer {
  readonly element = null;
  readonly #callback: FrameCallback;
  readonly #drawn: (frame: number) => void;
  #size: Size = { width: 0, height: 0 };

  constructor(callback: FrameCallback, drawn: (frame: number) => void) {
    this.#callback = callback;
    this.#drawn = drawn;
  }

  resize(size: Size): void {
    this.#size = size;
  }

  draw(picture: VideoFrame, frame: number, more: boolean): void {
    // A newer frame follows immediately: a second texture per screen refresh would be wasted work.
    if (more) return picture.close();
    const shown = cropped(picture, this.#size);
    try {
      this.#callback(shown);
    } finally {
      shown.close();
    }
    this.#drawn(frame);
  }

  stop(): void {}
}

/** The frame without the encoder's padding; takes ownership of it. */
function cropped(picture: VideoFrame, { width, height }: Size): VideoFrame {
  if (picture.displayWidth === width && picture.displayHeight === height) return picture;
  try {
    const part = new VideoFrame(picture, {
      visibleRect: { x: 0, y: 0, width, height },
      displayWidth: width,
      displayHeight: height,
    });
    picture.close();
    return part;
  } catch {
    return picture;
  }
}

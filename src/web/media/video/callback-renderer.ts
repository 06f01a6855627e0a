import type { FrameRenderer, Size } from './pipeline.js';

/** A frame handed out; it is closed when the function returns. */
export type FrameCallback = (frame: VideoFrame | ImageBitmap) => void;

/** Hands decoded frames out instead of drawing them. */
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

  offer(picture: VideoFrame, frame: number, more: boolean): void {
    // A newer one follows at once: two textures for one refresh of the screen would be work for nothing.
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

/** The picture without the encoder's padding; takes it over. */
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

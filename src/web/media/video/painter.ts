/** Milliseconds; drawing takes longer only without a GPU. */
const SLOW_MS = 2;
/** This many slow draws in a row are not a coincidence. */
const SLOW_DRAWINGS = 3;
/** Frame formats in main memory; frames of hardware decoders would have to be read back from the GPU. */
const IN_MEMORY: ReadonlySet<string | null> = new Set(['I420', 'I444']);

/** A frame that only has to be put onto the canvas. It must be closed, painted or not. */
export interface PreparedFrame {
  paint(): void;
  close(): void;
}

/**
 * Paints frames onto a canvas. Without a GPU, browsers convert colours far more slowly when drawing frames (5 to 10 ms
 * at 1280x720) than when copying them (1 ms); then frames are copied, which can be done before they are due.
 */
export class Painter {
  readonly #context: CanvasRenderingContext2D;
  #way: { type: 'draw'; slow: number } | { type: 'copy' } | { type: 'draw only' } = { type: 'draw', slow: 0 };
  /** Memory of closed frames, all of one size. */
  #spare: ImageData[] = [];

  constructor(context: CanvasRenderingContext2D) {
    this.#context = context;
  }

  /** Does in advance what can be. Takes ownership of the frame. Rejects if there is no memory for it. */
  async prepare(picture: VideoFrame): Promise<PreparedFrame> {
    if (this.#way.type === 'copy' && IN_MEMORY.has(picture.format)) {
      const image = this.#memoryFor(picture);
      if (await copy(picture, image)) {
        picture.close();
        return {
          paint: () => this.#context.putImageData(image, 0, 0),
          close: () => void this.#spare.push(image),
        };
      }
      this.#way = { type: 'draw only' };
    }
    return { paint: () => this.#draw(picture), close: () => picture.close() };
  }

  #draw(picture: VideoFrame): void {
    const began = performance.now();
    this.#context.drawImage(picture, 0, 0);
    const way = this.#way;
    if (way.type !== 'draw') return;
    way.slow = performance.now() - began > SLOW_MS ? way.slow + 1 : 0;
    if (way.slow >= SLOW_DRAWINGS) this.#way = { type: 'copy' };
  }

  #memoryFor(picture: VideoFrame): ImageData {
    const { width, height } = picture.visibleRect ?? { width: picture.displayWidth, height: picture.displayHeight };
    this.#spare = this.#spare.filter(image => image.width === width && image.height === height);
    try {
      return this.#spare.pop() ?? new ImageData(width, height);
    } catch (error) {
      picture.close();
      throw error;
    }
  }
}

/** Copies a frame's pixels; false if the browser cannot convert them. */
function copy(picture: VideoFrame, image: ImageData): Promise<boolean> {
  // Newer than its type declaration: the target format.
  const options = { format: 'RGBA', colorSpace: 'srgb' } as VideoFrameCopyToOptions;
  return picture.copyTo(image.data, options).then(
    layout => layout.length === 1,
    () => false,
  );
}

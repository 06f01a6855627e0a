/** Milliseconds; drawing takes longer only without a GPU. */
const SLOW_MS = 2;
/** This many slow draws in a row are not a coincidence. */
const SLOW_DRAWINGS = 3;
/** Frame formats in main memory; frames of hardware decoders would have to be read back from the GPU. */
const IN_MEMORY: ReadonlySet<string | null> = new Set(['I420', 'I444']);

/**
 * Paints frames onto a canvas. Without a GPU, browsers convert colours far more slowly when drawing frames (5 to 10 ms
 * at 1280x720) than when copying them (1 ms); then frames are copied.
 */
export class Painter {
  readonly #context: CanvasRenderingContext2D;
  #way: { is: 'draw'; slow: number } | { is: 'copy'; image: ImageData | null } | { is: 'draw only' } = {
    is: 'draw',
    slow: 0,
  };

  constructor(context: CanvasRenderingContext2D) {
    this.#context = context;
  }

  /**
   * Paints a frame, which stays open; resolves when the canvas shows it. `fit` gives the canvas the frame's size, which
   * erases it: it is called immediately before painting, so that the page never shows the canvas empty.
   */
  async paint(picture: VideoFrame, fit: () => void): Promise<void> {
    const way = this.#way;
    if (way.is === 'copy' && IN_MEMORY.has(picture.format)) {
      const { width, height } = picture.visibleRect ?? { width: picture.displayWidth, height: picture.displayHeight };
      const fits = way.image?.width === width && way.image.height === height;
      const image = fits && way.image ? way.image : (way.image = new ImageData(width, height));
      const copied = await copy(picture, image);
      if (copied) {
        fit();
        return this.#context.putImageData(image, 0, 0);
      }
      this.#way = { is: 'draw only' };
    }
    fit();
    const began = performance.now();
    this.#context.drawImage(picture, 0, 0);
    if (way.is !== 'draw') return;
    way.slow = performance.now() - began > SLOW_MS ? way.slow + 1 : 0;
    if (way.slow >= SLOW_DRAWINGS) this.#way = { is: 'copy', image: null };
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

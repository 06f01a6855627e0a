/** Milliseconds: drawing takes longer only where the browser has no graphics card to do it. */
const SLOW_MS = 2;
/** So many slow drawings in a row are no accident. */
const SLOW_DRAWINGS = 3;
/** Pictures that lie in memory; those of hardware decoders would have to be fetched from it. */
const IN_MEMORY: ReadonlySet<string | null> = new Set(['I420', 'I444']);

/**
 * Puts pictures onto a canvas. Without a graphics card browsers convert pictures far more slowly when they draw
 * them (5 to 10 ms at 1280x720) than when they copy them out (1 ms): then they are copied.
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

  /** Paints a picture, which stays open; resolves when the canvas has it. */
  async paint(picture: VideoFrame): Promise<void> {
    const way = this.#way;
    if (way.is === 'copy' && IN_MEMORY.has(picture.format)) {
      const { width, height } = picture.visibleRect ?? { width: picture.displayWidth, height: picture.displayHeight };
      const fits = way.image?.width === width && way.image.height === height;
      const image = fits && way.image ? way.image : (way.image = new ImageData(width, height));
      const copied = await copy(picture, image);
      if (copied) return this.#context.putImageData(image, 0, 0);
      this.#way = { is: 'draw only' };
    }
    const began = performance.now();
    this.#context.drawImage(picture, 0, 0);
    if (way.is !== 'draw') return;
    way.slow = performance.now() - began > SLOW_MS ? way.slow + 1 : 0;
    if (way.slow >= SLOW_DRAWINGS) this.#way = { is: 'copy', image: null };
  }
}

/** Copies a picture's colours; false where the browser cannot convert them. */
function copy(picture: VideoFrame, image: ImageData): Promise<boolean> {
  // Newer than its type declaration: the format to convert to.
  const options = { format: 'RGBA', colorSpace: 'srgb' } as VideoFrameCopyToOptions;
  return picture.copyTo(image.data, options).then(
    layout => layout.length === 1,
    () => false,
  );
}

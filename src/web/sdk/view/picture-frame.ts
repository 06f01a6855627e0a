import { pictureRect, type Point, type Rect, type Size } from '../../lib/geometry.js';
import { pictureSize } from '../../media/video/pipeline.js';
import { revealed, WHOLE, zoomBy, zoomedRect, type PictureZoom } from './picture-zoom.js';

/**
 * Places the picture on the stage, enlarged if the viewer wants, and keeps an overlay exactly over it; crops the video's
 * padding.
 */
export class PictureFrame {
  readonly #stage: HTMLElement;
  readonly #overlay: HTMLElement;
  readonly #observer = new ResizeObserver(() => this.#place());
  #picture: HTMLElement | null = null;
  #display: Size = { width: 0, height: 0 };
  #zoom: PictureZoom = WHOLE;
  #covered = 0;

  /** @param overlay covers the video */
  constructor(stage: HTMLElement, overlay: HTMLElement) {
    this.#stage = stage;
    this.#overlay = overlay;
    this.#observer.observe(stage);
  }

  set display(display: Size) {
    this.#display = display;
    this.#place();
  }

  /** The element that displays the video from now on. A canvas has no padding. */
  set picture(picture: HTMLElement) {
    this.#picture = picture;
    if (picture instanceof HTMLVideoElement) picture.onresize = () => this.#place();
    this.#place();
  }

  /** The rectangle of the picture, relative to the stage, in CSS pixels. */
  get rect(): Rect {
    return zoomedRect(this.#zoom, this.#fit, this.#view);
  }

  /** Enlarges the picture by a factor, and moves what is at `from` on the stage to `to`. */
  zoomBy(factor: number, from: Point, to: Point): void {
    const [fit, view] = [this.#fit, this.#view];
    if (fit.width === 0 || fit.height === 0) return;
    this.#zoom = zoomBy(this.#zoom, { factor, from, to }, { fit, view, scale: this.#display.width / fit.width });
    this.#place();
  }

  /** Shows the whole picture or, if that is there already, the display's pixels around a place on the stage. */
  toggleZoom(at: Point): void {
    const { width } = this.#fit;
    const factor = this.#zoom.factor > 1 ? 1 / this.#zoom.factor : Math.max(2, this.#display.width / width);
    this.zoomBy(factor, at, at);
  }

  /** How much of the stage's lower edge something covers, in CSS pixels: the picture moves, but does not shrink. */
  get covered(): number {
    return this.#covered;
  }

  set covered(pixels: number) {
    if (pixels === this.#covered) return;
    this.#covered = pixels;
    this.#place();
  }

  /** Moves the picture so that a place of it is seen; `place`: fractions of its size. */
  reveal(place: Point): void {
    this.#zoom = revealed(this.#zoom, place, this.#fit, this.#view);
    this.#place();
  }

  stop(): void {
    this.#observer.disconnect();
    if (this.#picture !== null) this.#picture.onresize = null;
  }

  get #all(): Rect {
    return { left: 0, top: 0, width: this.#stage.clientWidth, height: this.#stage.clientHeight };
  }

  /** The part of the stage that is not covered. */
  get #view(): Size {
    const { width, height } = this.#all;
    return { width, height: Math.max(0, height - this.#covered) };
  }

  /** The rectangle of the whole picture where nothing is covered. */
  get #fit(): Rect {
    return pictureRect(this.#all, this.#display);
  }

  #place(): void {
    const [fit, rect] = [this.#fit, this.rect];
    const { factor } = this.#zoom;
    place(this.#overlay, fit);
    this.#overlay.style.setProperty('--zoom', String(factor));
    const enlarge = ({ style }: HTMLElement, { left, top }: Pick<Rect, 'left' | 'top'>) => {
      const x = rect.left + factor * (left - fit.left) - left;
      const y = rect.top + factor * (top - fit.top) - top;
      style.transformOrigin = '0 0';
      style.transform = factor === 1 && x === 0 && y === 0 ? '' : `translate(${x}px, ${y}px) scale(${factor})`;
    };
    enlarge(this.#overlay, fit);
    const picture = this.#picture;
    if (picture === null) return;
    enlarge(picture, picture instanceof HTMLVideoElement ? this.#crop(picture, fit) : { left: 0, top: 0 });
  }

  /** Places a video so that its padding is not seen; returns where. */
  #crop(video: HTMLVideoElement, fit: Rect): Pick<Rect, 'left' | 'top'> {
    const stage = this.#all;
    if (video.videoWidth === 0) return stage;
    const encoded = { width: video.videoWidth, height: video.videoHeight };
    const { width, height } = pictureSize(encoded, this.#display);
    const size = { width: (fit.width * encoded.width) / width, height: (fit.height * encoded.height) / height };
    const isPadded = width !== encoded.width || height !== encoded.height;
    const placed = isPadded ? { left: fit.left, top: fit.top, ...size } : stage;
    place(video, placed);
    const inset = `0 ${size.width - fit.width}px ${size.height - fit.height}px 0`;
    video.style.clipPath = isPadded ? `inset(${inset})` : '';
    video.style.objectFit = isPadded ? 'fill' : '';
    return placed;
  }
}

function place({ style }: HTMLElement, { left, top, width, height }: Rect): void {
  style.left = `${left}px`;
  style.top = `${top}px`;
  style.width = `${width}px`;
  style.height = `${height}px`;
}

import { pictureRect, type Rect, type Size } from '../../lib/geometry.js';
import { pictureSize } from '../../media/video/pipeline.js';

/** Keeps elements exactly over the video, and crops the video's padding, whatever the size of the stage. */
export class PictureFrame {
  readonly #stage: HTMLElement;
  readonly #overlay: HTMLElement;
  readonly #observer = new ResizeObserver(() => this.#place());
  #video: HTMLVideoElement | null = null;
  #display: Size = { width: 0, height: 0 };

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
    this.#video = picture instanceof HTMLVideoElement ? picture : null;
    if (this.#video !== null) this.#video.onresize = () => this.#place();
    this.#place();
  }

  stop(): void {
    this.#observer.disconnect();
    if (this.#video !== null) this.#video.onresize = null;
  }

  #place(): void {
    const stage = { left: 0, top: 0, width: this.#stage.clientWidth, height: this.#stage.clientHeight };
    const seen = pictureRect(stage, this.#display);
    place(this.#overlay, seen);
    const video = this.#video;
    if (video === null || video.videoWidth === 0) return;
    const encoded = { width: video.videoWidth, height: video.videoHeight };
    const { width, height } = pictureSize(encoded, this.#display);
    const size = { width: (seen.width * encoded.width) / width, height: (seen.height * encoded.height) / height };
    const isPadded = width !== encoded.width || height !== encoded.height;
    place(video, isPadded ? { left: seen.left, top: seen.top, ...size } : stage);
    const inset = `0 ${size.width - seen.width}px ${size.height - seen.height}px 0`;
    video.style.clipPath = isPadded ? `inset(${inset})` : '';
    video.style.objectFit = isPadded ? 'fill' : '';
  }
}

function place({ style }: HTMLElement, { left, top, width, height }: Rect): void {
  style.left = `${left}px`;
  style.top = `${top}px`;
  style.width = `${width}px`;
  style.height = `${height}px`;
}

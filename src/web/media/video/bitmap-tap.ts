import type { FrameCallback } from './callback-renderer.js';
import { pictureSize, type Size } from './pipeline.js';

/** Captures a video element's frames as bitmaps. */
export class BitmapTap {
  /** Size of the newest frames, without padding. The element may still display an older one of another size. */
  size: Size = { width: 0, height: 0 };
  readonly #video: HTMLVideoElement;
  readonly #callback: FrameCallback;
  #state: 'idle' | 'taking' | 'taking, more wanted' | 'stopped' = 'idle';

  constructor(video: HTMLVideoElement, callback: FrameCallback) {
    this.#video = video;
    this.#callback = callback;
  }

  /** The element displays a new frame. */
  take(): void {
    if (this.#state === 'idle') void this.#take();
    else if (this.#state === 'taking') this.#state = 'taking, more wanted';
  }

  stop(): void {
    this.#state = 'stopped';
  }

  async #take(): Promise<void> {
    this.#state = 'taking';
    const { videoWidth, videoHeight } = this.#video;
    const { width, height } = pictureSize({ width: videoWidth, height: videoHeight }, this.size);
    const bitmap = await createImageBitmap(this.#video, 0, 0, width, height).catch(() => null);
    const { is, more } = this.#ended();
    if (bitmap !== null) {
      if (is !== 'stopped') this.#callback(bitmap);
      bitmap.close();
    }
    if (more) void this.#take();
  }

  #ended(): { is: 'stopped' | 'idle'; more: boolean } {
    if (this.#state === 'stopped') return { is: 'stopped', more: false };
    const more = this.#state === 'taking, more wanted';
    this.#state = 'idle';
    return { is: 'idle', more };
  }
}

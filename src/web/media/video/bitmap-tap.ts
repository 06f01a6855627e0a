import type { Size } from '../../lib/geometry.js';
import { pictureSize, type FrameCallback } from './pipeline.js';

/** Captures a video element's frames as bitmaps. */
export class BitmapTap {
  /** Size of the newest frames, without padding. The element may still display an older one of another size. */
  size: Size = { width: 0, height: 0 };
  readonly #video: HTMLVideoElement;
  readonly #callback: FrameCallback;
  #state: 'idle' | 'capturing' | 'capturing, more wanted' | 'stopped' = 'idle';

  constructor(video: HTMLVideoElement, callback: FrameCallback) {
    this.#video = video;
    this.#callback = callback;
  }

  /** The element displays a new frame. */
  capture(): void {
    if (this.#state === 'idle') void this.#capture();
    else if (this.#state === 'capturing') this.#state = 'capturing, more wanted';
  }

  stop(): void {
    this.#state = 'stopped';
  }

  async #capture(): Promise<void> {
    this.#state = 'capturing';
    const { videoWidth, videoHeight } = this.#video;
    const { width, height } = pictureSize({ width: videoWidth, height: videoHeight }, this.size);
    const bitmap = await createImageBitmap(this.#video, 0, 0, width, height).catch(() => null);
    const { isStopped, more } = this.#ended();
    if (bitmap !== null) {
      if (!isStopped) this.#callback(bitmap);
      bitmap.close();
    }
    if (more) void this.#capture();
  }

  #ended(): { isStopped: boolean; more: boolean } {
    if (this.#state === 'stopped') return { isStopped: true, more: false };
    const more = this.#state === 'capturing, more wanted';
    this.#state = 'idle';
    return { isStopped: false, more };
  }
}

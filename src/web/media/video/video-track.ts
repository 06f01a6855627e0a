import type { Size } from '../../lib/geometry.js';

/** A stream of frames as a track: frames are drawn onto a canvas that is captured, in every browser and context. */
export class VideoTrack {
  readonly #canvas = document.createElement('canvas');
  readonly #context = this.#canvas.getContext('2d', { alpha: false });
  #track: MediaStreamTrack | null = null;

  /** Shows a frame in the track. */
  readonly draw = (frame: VideoFrame | ImageBitmap): void => {
    const { width, height } = 'displayWidth' in frame ? sizeOf(frame) : frame;
    this.#resize({ width, height });
    this.#context?.drawImage(frame, 0, 0);
  };

  /** The track, of this size in pixels until there is a frame; null if it was opened before. */
  open(size: Size | null): MediaStreamTrack | null {
    if (this.#track !== null) return null;
    if (size !== null) this.#resize(size);
    return (this.#track = this.#canvas.captureStream().getVideoTracks()[0] ?? null);
  }

  stop(): void {
    this.#track?.stop();
  }

  /** A canvas that is given its size once more is emptied. */
  #resize({ width, height }: Size): void {
    if (this.#canvas.width === width && this.#canvas.height === height) return;
    this.#canvas.width = width;
    this.#canvas.height = height;
  }
}

const sizeOf = ({ displayWidth: width, displayHeight: height }: VideoFrame): Size => ({ width, height });

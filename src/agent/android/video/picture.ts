import type { ScrcpyMediaStreamPacket } from '@yume-chan/scrcpy';
import { displayMessage, videoMessage, type PictureOptions, type PictureSize } from './messages.js';
import { parameterSets, type ParameterSets } from './parameter-sets.js';

/** Where frames go. */
export interface PictureHandlers {
  /** Sends viewers `user u32, message`. */
  show(body: Buffer): void;
  /** The picture has another size from the next frame on. */
  resized(size: PictureSize): void;
  /** A key frame was shown. */
  key(): void;
}

/**
 * The device's picture: its encoder's packets as messages to viewers. The frames pass as they are; the parameter sets,
 * which encoders send once, are put before every key frame, and a new size is told before its first one.
 */
export class Picture {
  readonly #options: PictureOptions;
  readonly #handlers: PictureHandlers;
  #sets: ParameterSets | undefined;
  #size: PictureSize | undefined;
  #frame = 0;
  /** Whether anybody watches. */
  isWanted = false;

  constructor(options: PictureOptions, handlers: PictureHandlers) {
    this.#options = options;
    this.#handlers = handlers;
  }

  /** The size in force; undefined before the first frame. */
  get size(): PictureSize | undefined {
    return this.#size;
  }

  /** Takes the next packet of the encoder in force. Times are those of the device, in microseconds. */
  take(packet: ScrcpyMediaStreamPacket): void {
    if (packet.type === 'configuration') {
      this.#sets = parameterSets(packet.data) ?? this.#sets;
      return;
    }
    const { keyframe: isKey = false, pts = 0n, data } = packet;
    // Before its parameter sets a frame cannot be decoded.
    if (this.#sets === undefined) return;
    if (isKey) this.#tellSize(this.#sets);
    this.#frame = (this.#frame + 1) >>> 0;
    if (this.isWanted)
      this.#handlers.show(videoMessage(isKey, this.#frame, pts, isKey ? [this.#sets.bytes, data] : [data]));
    if (isKey) this.#handlers.key();
  }

  #tellSize({ width, height }: ParameterSets): void {
    if (this.#size?.width === width && this.#size.height === height) return;
    this.#size = { width, height };
    this.#handlers.show(displayMessage(this.#size, this.#options));
    this.#handlers.resized(this.#size);
  }
}

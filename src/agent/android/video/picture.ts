import type { ScrcpyMediaStreamPacket } from '@yume-chan/scrcpy';
import { displayMessage, videoMessage, type PictureOptions, type PictureSize } from './messages.js';
import { parameterSets, type ParameterSets } from './parameter-sets.js';

/** Receives frames. */
export interface PictureHandlers {
  /** Sends viewers `user u32, message`. */
  show(body: Buffer): void;
  /** The picture has another size from the next frame on. */
  resized(size: PictureSize): void;
  /** A key frame was shown. */
  key(): void;
}

/**
 * The device's picture: its encoder's packets as messages to viewers. Frames pass unchanged; the parameter sets, which
 * encoders send once, are put before every key frame, and a new size is announced before its first frame.
 */
export class Picture {
  readonly #options: PictureOptions;
  readonly #handlers: PictureHandlers;
  #sets: ParameterSets | undefined;
  #size: PictureSize | undefined;
  #frame = 0;
  /** The newest frame, if that is a key frame, behind its parameter sets. */
  #key: { parts: readonly Uint8Array[]; time: bigint } | undefined;
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

  /** Handles the next packet of the current encoder. Times are the device's, in microseconds. */
  take(packet: ScrcpyMediaStreamPacket): void {
    if (packet.type === 'configuration') {
      this.#key = undefined;
      this.#sets = parameterSets(packet.data) ?? this.#sets;
      return;
    }
    const { keyframe: isKey = false, pts = 0n, data } = packet;
    // Before its parameter sets a frame cannot be decoded.
    if (this.#sets === undefined) return;
    if (isKey) this.#tellSize(this.#sets);
    const parts = isKey ? [this.#sets.bytes, data] : [data];
    this.#key = isKey ? { parts, time: pts } : undefined;
    this.#show(isKey, pts, parts);
    if (isKey) this.#handlers.key();
  }

  /** Shows the newest frame again, for a viewer that joins. Returns false if it is no key frame. */
  repeatKey(): boolean {
    if (this.#key === undefined) return false;
    // Times increase.
    this.#key.time++;
    this.#show(true, this.#key.time, this.#key.parts);
    return true;
  }

  #show(isKey: boolean, time: bigint, parts: readonly Uint8Array[]): void {
    this.#frame = (this.#frame + 1) >>> 0;
    if (this.isWanted) this.#handlers.show(videoMessage(isKey, this.#frame, time, parts));
  }

  #tellSize({ width, height }: ParameterSets): void {
    if (this.#size?.width === width && this.#size.height === height) return;
    this.#size = { width, height };
    this.#handlers.show(displayMessage(this.#size, this.#options));
    this.#handlers.resized(this.#size);
  }
}

import type { DisplayOptions } from '../../protocol/generated/schemas.js';
import { fromHelper, toHelper, USER_BYTES } from '../../protocol/display-helper.js';
import { QUALITY_CODES } from '../../protocol/message-type.js';

/** Type of `user u32, message`. */
export const typeOf = (body: Uint8Array): number | undefined => body[USER_BYTES];

/** `set display` for all viewers, as launched: 4:2:0. */
export function setDisplay({ width, height, fps, quality }: DisplayOptions): Uint8Array {
  return toHelper.setDisplay.encode({ width, height, fps, quality: QUALITY_CODES[quality], chroma: false }, USER_BYTES);
}

/** `stream`: whether anybody watches or listens. */
export const stream = (video: boolean, audio: boolean): Uint8Array =>
  toHelper.stream.encode({ video, audio }, USER_BYTES);

/** `rate`: upper bound of the encoder's bit rate in kbit/s. */
export const rate = (kbps: number): Uint8Array => toHelper.rate.encode({ kbps }, USER_BYTES);

/** `small layer`: upper bound of the small layer's bit rate in kbit/s; undefined: nobody needs that layer. */
export const smallLayer = (kbps: number | undefined): Uint8Array =>
  toHelper.smallLayer.encode({ on: kbps !== undefined, kbps: kbps ?? 0 }, USER_BYTES);

/** A viewer's scrolling, and its position, in pixels of the display. */
export interface Scroll {
  readonly dx: number;
  readonly dy: number;
  readonly x: number;
  readonly y: number;
}

/** Decodes `user u32, scroll`; null if it is invalid. */
export const scrollOf = (body: Buffer): Scroll | null => fromHelper.scroll.decode(body, USER_BYTES);

/** `turn`: turns the wheel, by the message's number of pixels. */
export const turn = (dx: number, dy: number): Uint8Array => toHelper.turn.encode({ dx, dy }, USER_BYTES);

/** `key`: presses or releases the key of an X11 keysym. */
export const key = (keysym: number, down: boolean): Uint8Array => toHelper.key.encode({ down, keysym }, USER_BYTES);

export const keyframe = (): Uint8Array => toHelper.keyframe.encode({}, USER_BYTES);
export const smallKeyframe = (): Uint8Array => toHelper.smallKeyframe.encode({}, USER_BYTES);
export const release = (): Uint8Array => toHelper.release.encode({}, USER_BYTES);

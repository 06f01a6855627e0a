import type { DisplayOptions } from '../../protocol/generated/schemas.js';
import { envelope, fromHelper, toHelper, USER_BYTES } from '../../protocol/display-helper.js';
import { encodeInput, toPlace, type InputEvent } from '../../protocol/input.js';
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

/** A viewer's input, as it comes by the link. */
export function inputOf(user: number, event: InputEvent): Uint8Array {
  const message = encodeInput(event);
  const body = new Uint8Array(USER_BYTES + message.length);
  envelope.write(body, 0, { user });
  body.set(message, USER_BYTES);
  return body;
}

/** `find target`: asks whether the window that has the focus is at a place, fractions of the display. */
export const findTarget = (place: { x: number; y: number }): Uint8Array =>
  toHelper.findTarget.encode(toPlace(place), USER_BYTES);

/** Decodes `user u32, target`: whether it is; null if it is invalid. */
export const targetOf = (body: Buffer): boolean | null => fromHelper.target.decode(body, USER_BYTES)?.focused ?? null;

export const keyframe = (): Uint8Array => toHelper.keyframe.encode({}, USER_BYTES);
export const smallKeyframe = (): Uint8Array => toHelper.smallKeyframe.encode({}, USER_BYTES);
export const release = (): Uint8Array => toHelper.release.encode({}, USER_BYTES);

import type { DisplayOptions } from '../../protocol/generated/schemas.js';
import { MessageType, QUALITY_CODES } from '../../protocol/message-type.js';

/** Bytes of the user's number before each message. */
export const USER_BYTES = 4;

/** Type of `user u32, message`. */
export const typeOf = (body: Uint8Array): number | undefined => body[USER_BYTES];

const body = (bytes: number, type: number) => {
  const view = new DataView(new ArrayBuffer(USER_BYTES + bytes));
  view.setUint8(USER_BYTES, type);
  return view;
};
const int16 = (value: number) => Math.min(32767, Math.max(-32768, value));
const bytesOf = (view: DataView) => new Uint8Array(view.buffer);

/** `set display` for all viewers, as launched: 4:2:0. */
export function setDisplay(options: DisplayOptions): Uint8Array {
  const view = body(8, MessageType.setDisplay);
  view.setUint16(5, options.width, true);
  view.setUint16(7, options.height, true);
  view.setUint8(9, options.fps);
  view.setUint8(10, QUALITY_CODES[options.quality]);
  view.setUint8(11, 0);
  return bytesOf(view);
}

/** `stream`: whether anybody watches or listens. */
export function stream(video: boolean, audio: boolean): Uint8Array {
  const view = body(3, MessageType.stream);
  view.setUint8(5, video ? 1 : 0);
  view.setUint8(6, audio ? 1 : 0);
  return bytesOf(view);
}

/** `rate`: ceiling of the encoder's rate in kbit/s. */
export function rate(kbps: number): Uint8Array {
  const view = body(5, MessageType.rate);
  view.setUint32(5, kbps, true);
  return bytesOf(view);
}

/** What a viewer has scrolled by, and where, in pixels of the display. */
export interface Scroll {
  readonly dx: number;
  readonly dy: number;
  readonly x: number;
  readonly y: number;
}

/** Decodes `user u32, scroll`; null where it is none. */
export function scrollOf(body: Buffer): Scroll | null {
  if (typeOf(body) !== MessageType.scroll || body.length !== USER_BYTES + 9) return null;
  const [dx, dy] = [body.readInt16LE(5), body.readInt16LE(7)];
  return { dx, dy, x: body.readUInt16LE(9), y: body.readUInt16LE(11) };
}

/** `turn`: the wheel, by pixels, as many as the message holds. */
export function turn(dx: number, dy: number): Uint8Array {
  const view = body(5, MessageType.turn);
  view.setInt16(5, int16(dx), true);
  view.setInt16(7, int16(dy), true);
  return bytesOf(view);
}

export const keyframe = (): Uint8Array => bytesOf(body(1, MessageType.keyframe));
export const release = (): Uint8Array => bytesOf(body(1, MessageType.release));

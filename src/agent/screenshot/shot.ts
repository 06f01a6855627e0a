import { MessageType } from '../../protocol/message-type.js';
import { USER_BYTES } from '../display/messages.js';

const HEAD_BYTES = 7;
const BYTES_PER_PIXEL = 3;

/** A piece of a picture; without width, the word that it failed. */
export interface Shot {
  readonly width: number;
  readonly height: number;
  /** The first row of the piece, and how many follow. */
  readonly top: number;
  readonly count: number;
  readonly pixels: Buffer;
}

/** `screenshot`: asks for a picture of this width, 0 for the display's own. */
export function screenshot(width: number): Uint8Array {
  const view = new DataView(new ArrayBuffer(USER_BYTES + 3));
  view.setUint8(USER_BYTES, MessageType.screenshot);
  view.setUint16(USER_BYTES + 1, width, true);
  return new Uint8Array(view.buffer);
}

/** Decodes `user u32, message`; null where it is no `shot` of whole rows within the picture. */
export function decodeShot(body: Buffer): Shot | null {
  const message = body.subarray(USER_BYTES);
  if (message[0] !== MessageType.shot || message.length < HEAD_BYTES) return null;
  const [width, height, top] = [message.readUInt16LE(1), message.readUInt16LE(3), message.readUInt16LE(5)];
  const pixels = message.subarray(HEAD_BYTES);
  if (width === 0) return { width, height: 0, top: 0, count: 0, pixels };
  const count = pixels.length / (width * BYTES_PER_PIXEL);
  if (!Number.isInteger(count) || count === 0 || top + count > height) return null;
  return { width, height, top, count, pixels };
}

import { fromHelper, toHelper } from '../../protocol/display-helper.js';
import { USER_BYTES } from '../display/messages.js';

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
export const screenshot = (width: number): Uint8Array => toHelper.screenshot.encode({ width }, USER_BYTES);

/** Decodes `user u32, message`; null where it is no `shot` of whole rows within the picture. */
export function decodeShot(body: Buffer): Shot | null {
  const shot = fromHelper.shot.decode(body, USER_BYTES);
  if (!shot) return null;
  const { width, height, top } = shot;
  const pixels = body.subarray(USER_BYTES + fromHelper.shot.bytes);
  if (width === 0) return { width, height: 0, top: 0, count: 0, pixels };
  const count = pixels.length / (width * BYTES_PER_PIXEL);
  if (!Number.isInteger(count) || count === 0 || top + count > height) return null;
  return { width, height, top, count, pixels };
}

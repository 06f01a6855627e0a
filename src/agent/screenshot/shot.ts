import { fromHelper, toHelper, USER_BYTES } from '../../protocol/display-helper.js';

const BYTES_PER_PIXEL = 3;

/** A piece of a screenshot; without a width it means failure. */
export interface Shot {
  readonly width: number;
  readonly height: number;
  /** The first row of the piece, and the number of rows. */
  readonly top: number;
  readonly count: number;
  readonly pixels: Buffer;
}

/** `screenshot`: requests a screenshot of this width, 0 for the display's own. */
export const screenshot = (width: number): Uint8Array => toHelper.screenshot.encode({ width }, USER_BYTES);

/** Decodes `user u32, message`; null if it is not a `shot` with whole rows within the image. */
export function decodeShot(body: Buffer): Shot | null {
  const shot = fromHelper.shot.decode(body, USER_BYTES);
  if (!shot) return null;
  const { width, height, top } = shot;
  const pixels = fromHelper.shot.bodyOf(body, USER_BYTES);
  if (width === 0) return { width, height: 0, top: 0, count: 0, pixels };
  const count = pixels.length / (width * BYTES_PER_PIXEL);
  if (!Number.isInteger(count) || count === 0 || top + count > height) return null;
  return { width, height, top, count, pixels };
}

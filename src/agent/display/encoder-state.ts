import { fromHelper, USER_BYTES } from '../../protocol/display-helper.js';
import type { EncoderState } from '../../protocol/generated/schemas.js';

const NAME = /^[a-z0-9_-]{1,32}$/;
const REASON_LENGTH = 600;

/** What encodes the picture, by the helper's `user u32, encoder`; undefined if that is invalid. */
export function encoderOf(body: Buffer): EncoderState | undefined {
  const message = fromHelper.encoder.decode(body, USER_BYTES);
  if (message === null) return undefined;
  const words = body.toString('utf8', USER_BYTES + fromHelper.encoder.bytes);
  if (!message.hardware) return { type: 'encoder', encoder: 'software', reason: words.slice(0, REASON_LENGTH) };
  return NAME.test(words) ? { type: 'encoder', encoder: words } : undefined;
}

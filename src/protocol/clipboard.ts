/** What a clipboard holds: the same content in up to three forms, as it comes from viewers and programs. */
import { toHelper } from './display-helper.js';
import { decodeText } from './input.js';
import { CLIPBOARD_MAX_BYTES, MessageType, PICTURE_MAX_BYTES } from './message-type.js';
import { Message, u32 } from './struct.js';

/** A clipboard's content; what it does not have is empty. */
export interface ClipboardContent {
  readonly text: string;
  readonly html: string;
  /** PNG. */
  readonly picture: Uint8Array;
}

/** A copy in the session as the agent tells it on the link; its picture is fetched by number. `picture` 0: it has none. */
export const copy = new Message(
  MessageType.copy,
  { picture: u32, pictureSize: u32, textSize: u32 },
  'UTF-8 text, UTF-8 HTML',
);

/** Most pixels of a picture, so that those who paste it need 256 MiB for it at most. */
const PIXELS_MAX = 64 << 20;

const SIGNATURE = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52);
const HEADER_BYTES = SIGNATURE.length + 8;

/** Whether these bytes begin as a PNG picture of a size that can be pasted. */
export function isPicture(bytes: Uint8Array): boolean {
  if (bytes.length < HEADER_BYTES || bytes.length > PICTURE_MAX_BYTES) return false;
  if (!SIGNATURE.every((byte, at) => bytes[at] === byte)) return false;
  const sides = new DataView(bytes.buffer, bytes.byteOffset + SIGNATURE.length, 8);
  const [width, height] = [sides.getUint32(0), sides.getUint32(4)];
  return width > 0 && height > 0 && width * height <= PIXELS_MAX;
}

/** The message that sets the session's clipboard, after `before` zero bytes. */
export function encodeContent({ text, html, picture }: ClipboardContent, before = 0): Uint8Array<ArrayBuffer> {
  const encoder = new TextEncoder();
  const texts = [encoder.encode(text), encoder.encode(html)] as const;
  const [textSize, htmlSize] = [texts[0].length, texts[1].length];
  const body = new Uint8Array(textSize + htmlSize + picture.length);
  body.set(texts[0]);
  body.set(texts[1], textSize);
  body.set(picture, textSize + htmlSize);
  return toHelper.content.encode({ textSize, htmlSize }, before, body);
}

/** Decodes that message; null if it is invalid, or empty. */
export function decodeContent(bytes: Uint8Array, before = 0): ClipboardContent | null {
  const sizes = toHelper.content.decode(bytes, before);
  return sizes && contentOf(toHelper.content.bodyOf(bytes, before), sizes);
}

/** The content of text, HTML and picture that follow each other; null if one is invalid, or all are empty. */
export function contentOf(
  body: Uint8Array,
  { textSize, htmlSize }: { textSize: number; htmlSize: number },
): ClipboardContent | null {
  if (body.length === 0 || textSize + htmlSize > body.length) return null;
  if (textSize > CLIPBOARD_MAX_BYTES || htmlSize > CLIPBOARD_MAX_BYTES) return null;
  const text = decodeText(body.subarray(0, textSize));
  const html = decodeText(body.subarray(textSize, textSize + htmlSize));
  const picture = body.subarray(textSize + htmlSize);
  if (text === null || html === null || (picture.length > 0 && !isPicture(picture))) return null;
  return { text, html, picture };
}

/** The message with the content's text alone, for sessions that take nothing else. */
export const encodeTextOf = (bytes: Uint8Array): Uint8Array<ArrayBuffer> => {
  const { text } = decodeContent(bytes) ?? { text: '' };
  return toHelper.clipboard.encode({}, 0, new TextEncoder().encode(text));
};

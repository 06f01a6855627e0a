import { copy } from '../../protocol/clipboard.js';
import { envelope, fromHelper, USER_BYTES } from '../../protocol/display-helper.js';
import type { Clipboard, FromAgent } from '../../protocol/generated/schemas.js';
import { decodeText } from '../../protocol/input.js';
import {
  CLIPBOARD_MAX_BYTES,
  MessageType,
  PATCH_MAX_BYTES,
  PICTURE_MAX_BYTES,
  QUALITY_CODES,
  VideoFlag,
} from '../../protocol/message-type.js';
import { validator } from '../../protocol/validation.js';
import type { DisplayState } from './to-agent.js';

/** One of a session's encodings; the small one has half the width and height. */
export type Layer = 'full' | 'small';

/** A video message as forwarded to viewers. */
export interface VideoFrame {
  id: number;
  key: boolean;
  layer: Layer;
  bytes: Buffer;
}

/** What was copied in a session, as viewers are told. */
export type Copied = Omit<Clipboard, 'type'>;

/** A binary message from an agent; `bytes` is what is forwarded to viewers, a view into the received message. */
export type AgentMedia =
  | { type: 'video'; frame: VideoFrame }
  | { type: 'audio'; bytes: Buffer }
  | { type: 'cursor'; bytes: Buffer }
  | { type: 'patch'; bytes: Buffer }
  | { type: 'display'; display: DisplayState }
  | { type: 'clipboard'; copied: Copied }
  | { type: 'window count' }
  | { type: 'layers'; count: number };

const CURSOR_MAX_SIDE = 512;
const AUDIO_MAX_BYTES = 8192;
/** Largest text message, bytes. Only call results may be that large: a long list of tabs with long addresses fits. */
const RESULT_MAX_BYTES = 1 << 20;
const TEXT_MAX_BYTES = 64 << 10;
const RESULT_START = Buffer.from('{"type":"result",');
const VIDEO_FLAGS = VideoFlag.key | VideoFlag.refinement | VideoFlag.small;

/** Rate-limit cost of a message: audio, video and patches are forwarded as they are, text is parsed and serialized again. */
export type Charge = 'media' | 'signal' | 'text';

/** Rate-limit cost of a message from the link, determined by its first bytes. */
export function chargeOf(data: Buffer, isBinary: boolean): Charge {
  if (!isBinary) return 'text';
  switch (data[USER_BYTES]) {
    case MessageType.video:
    case MessageType.audio:
    case MessageType.patch:
      return 'media';
    case MessageType.clipboard:
    case MessageType.copy:
      return 'text';
    default:
      return 'signal';
  }
}

/** Decodes a binary message from the link; null if it is not one that the service forwards. */
export function decodeAgentMedia(data: Buffer): AgentMedia | null {
  if (data.length <= USER_BYTES || envelope.decode(data)?.user !== 0) return null;
  const bytes = data.subarray(USER_BYTES);
  switch (bytes[0]) {
    case MessageType.video: {
      const video = fromHelper.video.decode(bytes);
      if (video === null || bytes.length === fromHelper.video.bytes || (video.flags & ~VIDEO_FLAGS) !== 0) return null;
      const key = (video.flags & VideoFlag.key) !== 0;
      const layer = (video.flags & VideoFlag.small) === 0 ? 'full' : 'small';
      return { type: 'video', frame: { id: video.frame, key, layer, bytes } };
    }
    case MessageType.audio:
      return bytes.length > fromHelper.audio.bytes && bytes.length <= AUDIO_MAX_BYTES ? { type: 'audio', bytes } : null;
    case MessageType.cursor:
      return isCursor(bytes) ? { type: 'cursor', bytes } : null;
    case MessageType.patch:
      return isPatch(bytes) ? { type: 'patch', bytes } : null;
    case MessageType.display:
      return decodeDisplay(bytes);
    case MessageType.clipboard: {
      const content = fromHelper.clipboard.bodyOf(bytes);
      const text = content.length <= CLIPBOARD_MAX_BYTES ? decodeText(content) : null;
      return text === null ? null : { type: 'clipboard', copied: { text } };
    }
    case MessageType.copy: {
      const copied = decodeCopy(bytes);
      return copied && { type: 'clipboard', copied };
    }
    case MessageType.windows:
      return fromHelper.windows.decode(bytes) && { type: 'window count' };
    case MessageType.layers: {
      const layers = fromHelper.layers.decode(bytes);
      return layers && { type: 'layers', count: layers.count };
    }
    default:
      return null;
  }
}

function decodeCopy(bytes: Buffer): Copied | null {
  const head = copy.decode(bytes);
  if (head === null || head.pictureSize > PICTURE_MAX_BYTES) return null;
  const texts = copy.bodyOf(bytes);
  if (head.textSize > texts.length || texts.length > 2 * CLIPBOARD_MAX_BYTES) return null;
  const [text, html] = [decodeText(texts.subarray(0, head.textSize)), decodeText(texts.subarray(head.textSize))];
  if (text === null || html === null) return null;
  return {
    text,
    ...(html === '' ? {} : { html }),
    ...(head.picture === 0 ? {} : { picture: { id: head.picture, size: head.pictureSize } }),
  };
}

function isPatch(bytes: Buffer): boolean {
  const patch = fromHelper.patch.decode(bytes);
  return patch !== null && fromHelper.patch.bodyOf(bytes).length <= PATCH_MAX_BYTES;
}

function isCursor(bytes: Buffer): boolean {
  const cursor = fromHelper.cursor.decode(bytes);
  if (cursor === null || cursor.width > CURSOR_MAX_SIDE || cursor.height > CURSOR_MAX_SIDE) return false;
  return fromHelper.cursor.bodyOf(bytes).length === cursor.width * cursor.height * 4;
}

function decodeDisplay(bytes: Buffer): AgentMedia | null {
  const message = fromHelper.display.decode(bytes);
  if (message === null) return null;
  const { chroma, ...display } = message;
  if (display.width === 0 || display.height === 0 || display.fps === 0 || display.quality > QUALITY_CODES.blocky)
    return null;
  return { type: 'display', display: { ...display, chroma444: chroma } };
}

const isFromAgent = validator<FromAgent>('link.json#/$defs/from_agent', { allErrors: false });

/** Decodes a text message from the link; null if it is invalid. */
export function decodeAgentControl(data: Buffer): FromAgent | null {
  const isResult = data.subarray(0, RESULT_START.length).equals(RESULT_START);
  if (data.length > (isResult ? RESULT_MAX_BYTES : TEXT_MAX_BYTES)) return null;
  try {
    const result = isFromAgent(JSON.parse(data.toString()));
    return result.ok ? result.value : null;
  } catch {
    return null;
  }
}

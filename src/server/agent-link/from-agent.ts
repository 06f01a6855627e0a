import type { FromAgent } from '../../protocol/generated/schemas.js';
import { decodeText } from '../../protocol/input.js';
import { CLIPBOARD_MAX_BYTES, MEDIA_HEADER_BYTES, MessageType, VideoFlag } from '../../protocol/message-type.js';
import { validator } from '../../protocol/validation.js';
import type { DisplayState } from './to-agent.js';

/** A video message as forwarded to viewers. */
export interface VideoFrame {
  id: number;
  key: boolean;
  bytes: Buffer;
}

/** A binary message from an agent; `bytes` is what is forwarded to viewers, a view into the received message. */
export type AgentMedia =
  | { type: 'video'; frame: VideoFrame }
  | { type: 'audio'; bytes: Buffer }
  | { type: 'cursor'; bytes: Buffer }
  | { type: 'display'; display: DisplayState }
  | { type: 'clipboard'; text: string }
  | { type: 'windows' };

const ENVELOPE_BYTES = 4;
const CURSOR_HEADER_BYTES = 10;
const CURSOR_MAX_SIDE = 512;
const AUDIO_MAX_BYTES = 8192;
/** Largest text message, bytes. Only call results may be that large: a long list of tabs with long addresses fits. */
const RESULT_MAX_BYTES = 1 << 20;
const TEXT_MAX_BYTES = 64 << 10;
const RESULT_START = Buffer.from('{"type":"result",');
const VIDEO_FLAGS = VideoFlag.key | VideoFlag.refinement;

/** Rate-limit cost of a message: audio and video are forwarded as they are, text is parsed and serialized again. */
export type Charge = 'media' | 'signal' | 'text';

/** Rate-limit cost of a message from the link, determined by its first bytes. */
export function chargeOf(data: Buffer, isBinary: boolean): Charge {
  if (!isBinary) return 'text';
  switch (data[ENVELOPE_BYTES]) {
    case MessageType.video:
    case MessageType.audio:
      return 'media';
    case MessageType.clipboard:
      return 'text';
    default:
      return 'signal';
  }
}

/** Decodes a binary message from the link; null if it is not one that the service forwards. */
export function decodeAgentMedia(data: Buffer): AgentMedia | null {
  if (data.length <= ENVELOPE_BYTES || data.readUInt32LE(0) !== 0) return null;
  const bytes = data.subarray(ENVELOPE_BYTES);
  switch (bytes[0]) {
    case MessageType.video: {
      const flags = bytes[1] ?? 0;
      if (bytes.length <= MEDIA_HEADER_BYTES || (flags & ~VIDEO_FLAGS) !== 0) return null;
      return { type: 'video', frame: { id: bytes.readUInt32LE(2), key: (flags & VideoFlag.key) !== 0, bytes } };
    }
    case MessageType.audio:
      return bytes.length > MEDIA_HEADER_BYTES && bytes.length <= AUDIO_MAX_BYTES ? { type: 'audio', bytes } : null;
    case MessageType.cursor:
      return isCursor(bytes) ? { type: 'cursor', bytes } : null;
    case MessageType.display:
      return decodeDisplay(bytes);
    case MessageType.clipboard: {
      const text = bytes.length <= 1 + CLIPBOARD_MAX_BYTES ? decodeText(bytes.subarray(1)) : null;
      return text === null ? null : { type: 'clipboard', text };
    }
    case MessageType.windows:
      return bytes.length === 3 ? { type: 'windows' } : null;
    default:
      return null;
  }
}

function isCursor(bytes: Buffer): boolean {
  if (bytes.length < CURSOR_HEADER_BYTES || bytes.readUInt8(1) > 1) return false;
  const width = bytes.readUInt16LE(6);
  const height = bytes.readUInt16LE(8);
  if (width > CURSOR_MAX_SIDE || height > CURSOR_MAX_SIDE) return false;
  return bytes.length === CURSOR_HEADER_BYTES + width * height * 4;
}

function decodeDisplay(bytes: Buffer): AgentMedia | null {
  if (bytes.length !== 8) return null;
  const [width, height] = [bytes.readUInt16LE(1), bytes.readUInt16LE(3)];
  const [fps, quality, chroma] = [bytes.readUInt8(5), bytes.readUInt8(6), bytes.readUInt8(7)];
  if (width === 0 || height === 0 || fps === 0 || quality > 2 || chroma > 1) return null;
  return { type: 'display', display: { width, height, fps, quality, chroma444: chroma === 1 } };
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

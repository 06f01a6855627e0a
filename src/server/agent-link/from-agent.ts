import type { FromAgent } from '../../protocol/generated/schemas.js';
import { decodeText } from '../../protocol/input.js';
import { CLIPBOARD_MAX_BYTES, MEDIA_HEADER_BYTES, MessageType, VideoFlag } from '../../protocol/message-type.js';
import { validator } from '../../protocol/validation.js';
import type { DisplayState } from './to-agent.js';

/** A video message as it goes to viewers. */
export interface VideoFrame {
  id: number;
  key: boolean;
  bytes: Buffer;
}

/** A binary message of an agent; `bytes` is what goes to viewers, a view into the message received. */
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
/** Largest text message, bytes. Only results may have that: a list of many tabs with long addresses fits. */
const RESULT_MAX_BYTES = 1 << 20;
const TEXT_MAX_BYTES = 64 << 10;
const RESULT_START = Buffer.from('{"type":"result",');
const VIDEO_FLAGS = VideoFlag.key | VideoFlag.refinement;

/** What a message costs: sound and picture are passed on as they are, texts are read and put into words again. */
export type Charge = 'media' | 'signal' | 'text';

/** What a message from the link costs, told by its first bytes. */
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

/** Decodes a binary message from the link; null where it is not one that the service passes on. */
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

/** Decodes a text message from the link; null where it is not a valid one. */
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

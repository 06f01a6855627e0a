import type { FromViewer, ToViewer } from './generated/schemas.js';
import { MEDIA_HEADER_BYTES, MessageType, VideoFlag } from './message-type.js';

/** A video frame as sent by the service. */
export interface VideoPacket {
  key: boolean;
  /** Grows with every frame; gaps are normal. */
  frame: number;
  /** When it was captured, in microseconds of the session's clock. */
  time: number;
  /** H.264 Annex B access unit. */
  data: Uint8Array;
}

/** The mouse cursor's shape in the session. */
export interface CursorShape {
  visible: boolean;
  hotX: number;
  hotY: number;
  width: number;
  height: number;
  rgba: Uint8Array;
}

const TYPES: ReadonlySet<string> = new Set<ToViewer['type']>([
  'welcome',
  'session',
  'access',
  'display',
  'clipboard',
  'warning',
  'end',
  'refused',
  'pointer',
  'result',
  'event',
  'download',
  'file_chooser',
  'seats',
  'game',
]);

/** Parses a control message; null if this version does not know its type. */
export function parseText(text: string): ToViewer | null {
  try {
    const message: unknown = JSON.parse(text);
    if (typeof message !== 'object' || message === null || !('type' in message)) return null;
    return TYPES.has(String(message.type)) ? (message as ToViewer) : null;
  } catch {
    return null;
  }
}

const view = (bytes: Uint8Array) => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/** Parses a video message; null if it is too short. */
export function parseVideo(bytes: Uint8Array): VideoPacket | null {
  if (bytes.length <= MEDIA_HEADER_BYTES) return null;
  const header = view(bytes);
  return {
    key: (header.getUint8(1) & VideoFlag.key) !== 0,
    frame: header.getUint32(2, true),
    time: Number(header.getBigUint64(6, true)),
    data: bytes.subarray(MEDIA_HEADER_BYTES),
  };
}

/** 10 ms of audio, captured at `time` microseconds of the session's clock. */
export interface AudioPacket {
  time: number;
  opus: Uint8Array;
}

/** Parses an audio message; null if it contains no packet. */
export function parseAudio(bytes: Uint8Array): AudioPacket | null {
  if (bytes.length <= MEDIA_HEADER_BYTES) return null;
  return { time: Number(view(bytes).getBigUint64(6, true)), opus: bytes.subarray(MEDIA_HEADER_BYTES) };
}

/** Parses a cursor message; null if its length and size do not match. */
export function parseCursor(bytes: Uint8Array): CursorShape | null {
  if (bytes.length < 10) return null;
  const header = view(bytes);
  const [hotX, hotY, width, height] = [2, 4, 6, 8].map(at => header.getUint16(at, true)) as [
    number,
    number,
    number,
    number,
  ];
  if (bytes.length !== 10 + width * height * 4) return null;
  return { visible: header.getUint8(1) === 1, hotX, hotY, width, height, rgba: bytes.subarray(10) };
}

export const encodeText = (message: FromViewer) => JSON.stringify(message);

/** The message that acknowledges a displayed frame. */
export function encodeAck(frame: number): Uint8Array<ArrayBuffer> {
  const message = new DataView(new ArrayBuffer(5));
  message.setUint8(0, MessageType.ack);
  message.setUint32(1, frame, true);
  return new Uint8Array(message.buffer);
}

/** The message that sets the session's clipboard. */
export function encodeClipboard(text: string): Uint8Array<ArrayBuffer> {
  const content = new TextEncoder().encode(text);
  const message = new Uint8Array(1 + content.length);
  message[0] = MessageType.clipboard;
  message.set(content, 1);
  return message;
}

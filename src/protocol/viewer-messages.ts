import type { FromViewer, ToViewer } from './generated/schemas.js';
import { fromHelper, toHelper } from './display-helper.js';
import { VideoFlag } from './message-type.js';
import { fromViewer } from './viewer-wire.js';

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
  'copied',
  'warning',
  'end',
  'refused',
  'pointer',
  'pointers',
  'users',
  'privacy',
  'result',
  'event',
  'download',
  'file_chooser',
  'windows',
  'dialogs',
  'seats',
  'game',
  'discs',
  'device',
  'notice',
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

/** Parses a video message; null if it contains no frame. */
export function parseVideo(bytes: Uint8Array): VideoPacket | null {
  const header = fromHelper.video.decode(bytes);
  const data = fromHelper.video.bodyOf(bytes);
  if (header === null || data.length === 0) return null;
  return { key: (header.flags & VideoFlag.key) !== 0, frame: header.frame, time: Number(header.time), data };
}

/** What changed in the picture since a frame, pixel for pixel, as sent ahead of the frame that has it. */
export interface Patch {
  /** The frame on which it goes. */
  frame: number;
  /** Place and size in pixels of the display. */
  x: number;
  y: number;
  width: number;
  height: number;
  /** Runs of equal pixels, which go on over the ends of rows: count in LEB128, red, green, blue. */
  runs: Uint8Array;
}

/** Parses a patch; null if it is not one, or has no pixels. The runs are not checked. */
export function parsePatch(bytes: Uint8Array): Patch | null {
  const header = fromHelper.patch.decode(bytes);
  if (header === null || header.width === 0 || header.height === 0) return null;
  return { ...header, runs: fromHelper.patch.bodyOf(bytes) };
}

/** 10 ms of audio, captured at `time` microseconds of the session's clock. */
export interface AudioPacket {
  time: number;
  opus: Uint8Array;
}

/** Parses an audio message; null if it contains no packet. */
export function parseAudio(bytes: Uint8Array): AudioPacket | null {
  const header = fromHelper.audio.decode(bytes);
  const opus = fromHelper.audio.bodyOf(bytes);
  return header === null || opus.length === 0 ? null : { time: Number(header.time), opus };
}

/** Parses a cursor message; null if its length and size do not match. */
export function parseCursor(bytes: Uint8Array): CursorShape | null {
  const shape = fromHelper.cursor.decode(bytes);
  const rgba = fromHelper.cursor.bodyOf(bytes);
  return shape === null || rgba.length !== shape.width * shape.height * 4 ? null : { ...shape, rgba };
}

export const encodeText = (message: FromViewer) => JSON.stringify(message);

/** The message that acknowledges a displayed frame. */
export const encodeAck = (frame: number): Uint8Array<ArrayBuffer> => fromViewer.ack.encode({ frame });

/** The message that sets the session's clipboard. */
export const encodeClipboard = (text: string): Uint8Array<ArrayBuffer> =>
  toHelper.clipboard.encode({}, 0, new TextEncoder().encode(text));

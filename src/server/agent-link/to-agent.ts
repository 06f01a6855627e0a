import { MessageType } from '../../protocol/message-type.js';

/** An actual or requested display mode: pixels, frames per second, quality code (message-type.ts), 4:4:4 or 4:2:0. */
export interface DisplayState {
  width: number;
  height: number;
  fps: number;
  quality: number;
  chroma444: boolean;
}

/** Which media at least one viewer wants. */
export interface StreamWish {
  video: boolean;
  audio: boolean;
}

const ENVELOPE_BYTES = 4;

/** Wraps a message in the link's envelope: the number of the viewer that sent it, 0 for the service itself. */
export function enveloped(user: number, message: Uint8Array): Buffer {
  const bytes = Buffer.allocUnsafe(ENVELOPE_BYTES + message.length);
  bytes.writeUInt32LE(user, 0);
  bytes.set(message, ENVELOPE_BYTES);
  return bytes;
}

/** Requests a key frame. */
export function keyframeMessage(): Buffer {
  return enveloped(0, Uint8Array.of(MessageType.keyframe));
}

/** Sets the upper bound of the encoder's bit rate, kbit/s. */
export function rateMessage(kbps: number): Buffer {
  const message = Buffer.alloc(5);
  message.writeUInt8(MessageType.rate, 0);
  message.writeUInt32LE(kbps, 1);
  return enveloped(0, message);
}

export function streamMessage(wish: StreamWish): Buffer {
  return enveloped(0, Uint8Array.of(MessageType.stream, wish.video ? 1 : 0, wish.audio ? 1 : 0));
}

export function setDisplayMessage(display: DisplayState): Buffer {
  const message = Buffer.alloc(8);
  message.writeUInt8(MessageType.setDisplay, 0);
  message.writeUInt16LE(display.width, 1);
  message.writeUInt16LE(display.height, 3);
  message.writeUInt8(display.fps, 5);
  message.writeUInt8(display.quality, 6);
  message.writeUInt8(display.chroma444 ? 1 : 0, 7);
  return enveloped(0, message);
}

import { MessageType, TEXT_MAX_BYTES } from './message-type.js';
import { decodeTouch, encodeTouch, type TouchEvent } from './touch.js';

/** What a viewer does to the session. `x` and `y` are fractions of the display, 0 to 1. */
export type InputEvent =
  | { type: 'move'; x: number; y: number }
  | { type: 'button'; button: number; down: boolean; x: number; y: number }
  | { type: 'wheel'; dx: number; dy: number; x: number; y: number }
  | { type: 'key'; down: boolean; keysym: number }
  | { type: 'text'; text: string }
  | TouchEvent
  | { type: 'release' };

const FULL = 65535;
const fraction = (value: number) => Math.round(Math.min(1, Math.max(0, value)) * FULL);
const pixels = (value: number) => Math.round(Math.min(32767, Math.max(-32768, value)));

const message = (bytes: number, type: number) => {
  const view = new DataView(new ArrayBuffer(bytes));
  view.setUint8(0, type);
  return view;
};
const bytesOf = (view: DataView) => new Uint8Array(view.buffer);

/** Encodes an input event as a binary message. */
export function encodeInput(event: InputEvent): Uint8Array {
  switch (event.type) {
    case 'move': {
      const view = message(5, MessageType.move);
      view.setUint16(1, fraction(event.x), true);
      view.setUint16(3, fraction(event.y), true);
      return bytesOf(view);
    }
    case 'button': {
      const view = message(7, MessageType.button);
      view.setUint8(1, event.button);
      view.setUint8(2, event.down ? 1 : 0);
      view.setUint16(3, fraction(event.x), true);
      view.setUint16(5, fraction(event.y), true);
      return bytesOf(view);
    }
    case 'wheel': {
      const view = message(9, MessageType.wheel);
      view.setInt16(1, pixels(event.dx), true);
      view.setInt16(3, pixels(event.dy), true);
      view.setUint16(5, fraction(event.x), true);
      view.setUint16(7, fraction(event.y), true);
      return bytesOf(view);
    }
    case 'key': {
      const view = message(6, MessageType.key);
      view.setUint8(1, event.down ? 1 : 0);
      view.setUint32(2, event.keysym, true);
      return bytesOf(view);
    }
    case 'text': {
      const text = new TextEncoder().encode(event.text);
      const bytes = new Uint8Array(1 + text.length);
      bytes[0] = MessageType.text;
      bytes.set(text, 1);
      return bytes;
    }
    case 'touch':
      return encodeTouch(event);
    case 'release':
      return Uint8Array.of(MessageType.release);
  }
}

/** Decodes an input message of a viewer; null where it is not a valid one. */
export function decodeInput(bytes: Uint8Array): InputEvent | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const at = (offset: number) => view.getUint16(offset, true) / FULL;
  switch (bytes[0]) {
    case MessageType.move:
      return bytes.length === 5 ? { type: 'move', x: at(1), y: at(3) } : null;
    case MessageType.button: {
      if (bytes.length !== 7 || view.getUint8(1) > 4 || view.getUint8(2) > 1) return null;
      return { type: 'button', button: view.getUint8(1), down: view.getUint8(2) === 1, x: at(3), y: at(5) };
    }
    case MessageType.wheel: {
      if (bytes.length !== 9) return null;
      return { type: 'wheel', dx: view.getInt16(1, true), dy: view.getInt16(3, true), x: at(5), y: at(7) };
    }
    case MessageType.key: {
      if (bytes.length !== 6 || view.getUint8(1) > 1) return null;
      const keysym = view.getUint32(2, true);
      return keysym === 0 || keysym > 0x1fffffff ? null : { type: 'key', down: view.getUint8(1) === 1, keysym };
    }
    case MessageType.text: {
      if (bytes.length < 2 || bytes.length > 1 + TEXT_MAX_BYTES) return null;
      const text = decodeText(bytes.subarray(1));
      return text === null ? null : { type: 'text', text };
    }
    case MessageType.touch:
      return decodeTouch(bytes);
    case MessageType.release:
      return bytes.length === 1 ? { type: 'release' } : null;
    default:
      return null;
  }
}

/** Decodes UTF-8; null where it is malformed. */
export function decodeText(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

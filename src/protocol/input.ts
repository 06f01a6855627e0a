import { toHelper } from './display-helper.js';
import { MessageType, TEXT_MAX_BYTES } from './message-type.js';
import { decodeTouch, encodeTouch, type TouchEvent } from './touch.js';

/**
 * A viewer's input. `x` and `y` are fractions of the display, 0 to 1. `code` is the keycode of the place of a key, where
 * it is known: 8 to 255.
 */
export type InputEvent =
  | { type: 'move'; x: number; y: number }
  | { type: 'button'; button: number; down: boolean; x: number; y: number }
  | { type: 'wheel'; dx: number; dy: number; x: number; y: number }
  | { type: 'key'; down: boolean; keysym: number; code?: number }
  | { type: 'text'; text: string }
  | TouchEvent
  | { type: 'release' };

const FULL = 65535;
const BUTTON_MAX = 4;
const KEYSYM_MAX = 0x1fffffff;
const KEYCODE_MIN = 8;
const fraction = (value: number) => Math.round(Math.min(1, Math.max(0, value)) * FULL);
/** A place of which the coordinates are fractions of the display, as messages have it. */
export const toPlace = ({ x, y }: { x: number; y: number }) => ({ x: fraction(x), y: fraction(y) });
const fromPlace = ({ x, y }: { x: number; y: number }) => ({ x: x / FULL, y: y / FULL });

/** Encodes an input event as a binary message. */
export function encodeInput(event: InputEvent): Uint8Array {
  switch (event.type) {
    case 'move':
      return toHelper.move.encode(toPlace(event));
    case 'button':
      return toHelper.button.encode({ button: event.button, down: event.down, ...toPlace(event) });
    case 'wheel':
      return toHelper.wheel.encode({ dx: Math.round(event.dx), dy: Math.round(event.dy), ...toPlace(event) });
    case 'key': {
      const { down, keysym, code } = event;
      return code === undefined
        ? toHelper.key.encode({ down, keysym })
        : toHelper.physicalKey.encode({ down, keysym, code });
    }
    case 'text':
      return toHelper.text.encode({}, 0, new TextEncoder().encode(event.text));
    case 'touch':
      return encodeTouch(event);
    case 'release':
      return toHelper.release.encode({});
  }
}

/** Decodes a viewer's input message; null if it is invalid. */
export function decodeInput(bytes: Uint8Array): InputEvent | null {
  switch (bytes[0]) {
    case MessageType.move: {
      const move = toHelper.move.decode(bytes);
      return move && { type: 'move', ...fromPlace(move) };
    }
    case MessageType.button: {
      const button = toHelper.button.decode(bytes);
      return button && button.button <= BUTTON_MAX ? { type: 'button', ...button, ...fromPlace(button) } : null;
    }
    case MessageType.wheel: {
      const wheel = toHelper.wheel.decode(bytes);
      return wheel && { type: 'wheel', ...wheel, ...fromPlace(wheel) };
    }
    case MessageType.key: {
      const key = toHelper.key.decode(bytes);
      return key && isKeysym(key.keysym) ? { type: 'key', ...key } : null;
    }
    case MessageType.physicalKey: {
      const key = toHelper.physicalKey.decode(bytes);
      return key && isKeysym(key.keysym) && key.code >= KEYCODE_MIN ? { type: 'key', ...key } : null;
    }
    case MessageType.text: {
      const text = toHelper.text.bodyOf(bytes);
      if (text.length === 0 || text.length > TEXT_MAX_BYTES) return null;
      const decoded = decodeText(text);
      return decoded === null ? null : { type: 'text', text: decoded };
    }
    case MessageType.touch:
      return decodeTouch(bytes);
    case MessageType.release:
      return toHelper.release.decode(bytes) && { type: 'release' };
    default:
      return null;
  }
}

const isKeysym = (keysym: number) => keysym > 0 && keysym <= KEYSYM_MAX;

/** The message of a key without its place, for agents that do not know it; null if the message is no such key. */
export function withoutPlace(bytes: Uint8Array): Uint8Array | null {
  const key = bytes[0] === MessageType.physicalKey ? toHelper.physicalKey.decode(bytes) : null;
  return key && toHelper.key.encode(key);
}

/** Decodes UTF-8; null if it is malformed. */
export function decodeText(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

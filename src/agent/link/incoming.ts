import { decodeInput, decodeText, type InputEvent } from '../../protocol/input.js';
import { decodeTouch, type TouchEvent } from '../../protocol/touch.js';
import { CLIPBOARD_MAX_BYTES, MessageType } from '../../protocol/message-type.js';
import { decodePad, type PadEvent } from '../../protocol/pad.js';
import { USER_BYTES } from '../display/messages.js';

/** A binary message of the service, understood as far as the agent must. */
export type Incoming =
  | { kind: 'input'; event: InputEvent }
  | { kind: 'touch'; user: number; event: TouchEvent }
  | { kind: 'pad'; event: PadEvent }
  | { kind: 'pass' }
  | { kind: 'keyframe' }
  | { kind: 'stream'; video: boolean; audio: boolean }
  | { kind: 'rate'; kbps: number };

const SIDE = { least: 160, most: 4096 };
const RATE_MIN_KBPS = 50;

/** Classifies `user u32, message`; null where it is not a message the service may send. */
export function classify(body: Uint8Array): Incoming | null {
  const message = body.subarray(USER_BYTES);
  const view = new DataView(message.buffer, message.byteOffset, message.byteLength);
  switch (message[0]) {
    case MessageType.move:
    case MessageType.button:
    case MessageType.wheel:
    case MessageType.key:
    case MessageType.text:
    case MessageType.release:
      return inputOf(message);
    case MessageType.touch: {
      const event = decodeTouch(message);
      return event && { kind: 'touch', user: new DataView(body.buffer, body.byteOffset).getUint32(0, true), event };
    }
    case MessageType.pad: {
      const event = decodePad(message);
      return event && { kind: 'pad', event };
    }
    case MessageType.clipboard:
      if (message.length > 1 + CLIPBOARD_MAX_BYTES || decodeText(message.subarray(1)) === null) return null;
      return { kind: 'pass' };
    case MessageType.keyframe:
      return message.length === 1 ? { kind: 'keyframe' } : null;
    case MessageType.stream:
      if (message.length !== 3 || view.getUint8(1) > 1 || view.getUint8(2) > 1) return null;
      return { kind: 'stream', video: view.getUint8(1) === 1, audio: view.getUint8(2) === 1 };
    case MessageType.rate:
      return message.length === 5 ? { kind: 'rate', kbps: Math.max(RATE_MIN_KBPS, view.getUint32(1, true)) } : null;
    case MessageType.setDisplay:
      return message.length === 8 && isDisplay(view) ? { kind: 'pass' } : null;
    default:
      return null;
  }
}

function inputOf(message: Uint8Array): Incoming | null {
  const event = decodeInput(message);
  return event && { kind: 'input', event };
}

function isDisplay(view: DataView): boolean {
  const isSide = (side: number) => side >= SIDE.least && side <= SIDE.most;
  const fps = view.getUint8(5);
  return (
    isSide(view.getUint16(1, true)) &&
    isSide(view.getUint16(3, true)) &&
    fps >= 1 &&
    fps <= 60 &&
    view.getUint8(6) <= 2 &&
    view.getUint8(7) <= 1
  );
}

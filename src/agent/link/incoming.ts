import { envelope, toHelper, USER_BYTES } from '../../protocol/display-helper.js';
import { decodeInput, decodeText, type InputEvent } from '../../protocol/input.js';
import { decodeTouch, type TouchEvent } from '../../protocol/touch.js';
import { CLIPBOARD_MAX_BYTES, MessageType, QUALITY_CODES } from '../../protocol/message-type.js';
import { decodePad, type PadEvent } from '../../protocol/pad.js';

/** A binary message of the service, decoded as far as the agent needs it. */
export type Incoming =
  | { kind: 'input'; event: InputEvent }
  | { kind: 'touch'; user: number; event: TouchEvent }
  | { kind: 'pad'; event: PadEvent }
  | { kind: 'pass' }
  | { kind: 'keyframe' }
  | { kind: 'small keyframe' }
  | { kind: 'stream'; video: boolean; audio: boolean }
  | { kind: 'rate'; kbps: number }
  | { kind: 'small layer'; kbps: number | undefined };

const SIDE = { least: 160, most: 4096 };
const RATE_MIN_KBPS = 50;
const FPS_MAX = 60;

/** Classifies `user u32, message`; null if the service may not send it. */
export function classify(body: Uint8Array): Incoming | null {
  const message = body.subarray(USER_BYTES);
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
      return event && { kind: 'touch', user: envelope.decode(body)?.user ?? 0, event };
    }
    case MessageType.pad: {
      const event = decodePad(message);
      return event && { kind: 'pad', event };
    }
    case MessageType.clipboard: {
      const text = toHelper.clipboard.bodyOf(message);
      return text.length > CLIPBOARD_MAX_BYTES || decodeText(text) === null ? null : { kind: 'pass' };
    }
    case MessageType.keyframe:
      return toHelper.keyframe.decode(message) && { kind: 'keyframe' };
    case MessageType.stream: {
      const stream = toHelper.stream.decode(message);
      return stream && { kind: 'stream', ...stream };
    }
    case MessageType.rate: {
      const rate = toHelper.rate.decode(message);
      return rate && { kind: 'rate', kbps: Math.max(RATE_MIN_KBPS, rate.kbps) };
    }
    case MessageType.smallLayer: {
      const small = toHelper.smallLayer.decode(message);
      return small && { kind: 'small layer', kbps: small.on ? Math.max(RATE_MIN_KBPS, small.kbps) : undefined };
    }
    case MessageType.smallKeyframe:
      return toHelper.smallKeyframe.decode(message) && { kind: 'small keyframe' };
    case MessageType.setDisplay:
      return isDisplay(message) ? { kind: 'pass' } : null;
    default:
      return null;
  }
}

function inputOf(message: Uint8Array): Incoming | null {
  const event = decodeInput(message);
  return event && { kind: 'input', event };
}

function isDisplay(message: Uint8Array): boolean {
  const isSide = (side: number) => side >= SIDE.least && side <= SIDE.most;
  const display = toHelper.setDisplay.decode(message);
  if (!display) return false;
  const { width, height, fps, quality } = display;
  return isSide(width) && isSide(height) && fps >= 1 && fps <= FPS_MAX && quality <= QUALITY_CODES.blocky;
}

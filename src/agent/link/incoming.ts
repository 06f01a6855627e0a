import { decodeContent } from '../../protocol/clipboard.js';
import { envelope, toHelper, USER_BYTES } from '../../protocol/display-helper.js';
import { decodeInput, decodeText, type InputEvent } from '../../protocol/input.js';
import { decodeTouch, type TouchEvent } from '../../protocol/touch.js';
import { CLIPBOARD_MAX_BYTES, MessageType, QUALITY_CODES } from '../../protocol/message-type.js';
import { decodePad, type PadEvent } from '../../protocol/pad.js';

/** A binary message of the service, decoded as far as the agent needs it. */
export type Incoming =
  | { type: 'input'; event: InputEvent }
  | { type: 'touch'; user: number; event: TouchEvent }
  | { type: 'pad'; event: PadEvent }
  | { type: 'pass' }
  | { type: 'keyframe' }
  | { type: 'small keyframe' }
  | { type: 'stream'; video: boolean; audio: boolean }
  | { type: 'rate'; kbps: number }
  | { type: 'small layer'; kbps: number | undefined };

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
    case MessageType.physicalKey:
    case MessageType.text:
    case MessageType.release:
      return inputOf(message);
    case MessageType.touch: {
      const event = decodeTouch(message);
      return event && { type: 'touch', user: envelope.decode(body)?.user ?? 0, event };
    }
    case MessageType.pad: {
      const event = decodePad(message);
      return event && { type: 'pad', event };
    }
    case MessageType.clipboard: {
      const text = toHelper.clipboard.bodyOf(message);
      return text.length > CLIPBOARD_MAX_BYTES || decodeText(text) === null ? null : { type: 'pass' };
    }
    case MessageType.content:
      return decodeContent(message) && { type: 'pass' };
    case MessageType.keyframe:
      return toHelper.keyframe.decode(message) && { type: 'keyframe' };
    case MessageType.stream: {
      const stream = toHelper.stream.decode(message);
      return stream && { type: 'stream', ...stream };
    }
    case MessageType.rate: {
      const rate = toHelper.rate.decode(message);
      return rate && { type: 'rate', kbps: Math.max(RATE_MIN_KBPS, rate.kbps) };
    }
    case MessageType.smallLayer: {
      const small = toHelper.smallLayer.decode(message);
      return small && { type: 'small layer', kbps: small.on ? Math.max(RATE_MIN_KBPS, small.kbps) : undefined };
    }
    case MessageType.smallKeyframe:
      return toHelper.smallKeyframe.decode(message) && { type: 'small keyframe' };
    case MessageType.setDisplay:
      return isDisplay(message) ? { type: 'pass' } : null;
    default:
      return null;
  }
}

function inputOf(message: Uint8Array): Incoming | null {
  const event = decodeInput(message);
  return event && { type: 'input', event };
}

function isDisplay(message: Uint8Array): boolean {
  const isSide = (side: number) => side >= SIDE.least && side <= SIDE.most;
  const display = toHelper.setDisplay.decode(message);
  if (!display) return false;
  const { width, height, fps, quality } = display;
  return isSide(width) && isSide(height) && fps >= 1 && fps <= FPS_MAX && quality <= QUALITY_CODES.blocky;
}

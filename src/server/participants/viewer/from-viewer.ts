import { decodeContent } from '../../../protocol/clipboard.js';
import { toHelper } from '../../../protocol/display-helper.js';
import type { FromViewer } from '../../../protocol/generated/schemas.js';
import { decodeInput, decodeText, type InputEvent } from '../../../protocol/input.js';
import { CLIPBOARD_MAX_BYTES, MessageType } from '../../../protocol/message-type.js';
import { decodePad, type PadEvent } from '../../../protocol/pad.js';
import { fromViewer } from '../../../protocol/viewer-wire.js';
import { validator } from '../../../protocol/validation.js';

/** A valid message of a viewer; `bytes` is the message as received. */
export type ViewerMessage =
  | FromViewer
  | { type: 'input'; event: InputEvent; bytes: Buffer }
  | { type: 'pad'; event: PadEvent; bytes: Buffer }
  | { type: 'paste'; bytes: Buffer }
  | { type: 'ack'; frame: number }
  | { type: 'ping'; token: bigint }
  | { type: 'refresh' };

/** Largest text message of a viewer, in characters. Most of it is for the `userdata` of a join. */
const TEXT_MAX_CHARACTERS = 65_536;

/** Largest message that a viewer's socket accepts, bytes. Larger contents of the clipboard come by HTTP. */
export const VIEWER_MAX_BYTES = toHelper.content.bytes + CLIPBOARD_MAX_BYTES;

/**
 * Most frames that a viewer's message may come in, which are not charged one by one. Chromium sends the largest one in
 * 17; proxies may split these.
 */
export const VIEWER_MAX_FRAMES = 64;

/** Decodes a viewer's binary message; null if it is invalid. */
export function decodeViewerBinary(bytes: Buffer): ViewerMessage | null {
  switch (bytes[0]) {
    case MessageType.ack: {
      const ack = fromViewer.ack.decode(bytes);
      return ack && { type: 'ack', frame: ack.frame };
    }
    case MessageType.ping: {
      const ping = fromViewer.ping.decode(bytes);
      return ping && { type: 'ping', token: ping.token };
    }
    case MessageType.refresh:
      return fromViewer.refresh.decode(bytes) && { type: 'refresh' };
    case MessageType.pad: {
      const event = decodePad(bytes);
      return event === null ? null : { type: 'pad', event, bytes };
    }
    case MessageType.clipboard:
      return decodeText(toHelper.clipboard.bodyOf(bytes)) === null ? null : { type: 'paste', bytes };
    case MessageType.content:
      return decodeContent(bytes) && { type: 'paste', bytes };
    default: {
      const event = decodeInput(bytes);
      return event === null ? null : { type: 'input', event, bytes };
    }
  }
}

const isFromViewer = validator<FromViewer>('viewer.json#/$defs/from_viewer', { allErrors: false });

/** Decodes a viewer's text message; null if it is invalid. */
export function decodeViewerText(text: string): ViewerMessage | null {
  if (text.length > TEXT_MAX_CHARACTERS) return null;
  try {
    const result = isFromViewer(JSON.parse(text));
    return result.ok ? result.value : null;
  } catch {
    return null;
  }
}

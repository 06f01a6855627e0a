import { fromHelper, USER_BYTES } from '../../../protocol/display-helper.js';
import { QUALITY_CODES, VideoFlag, type Quality } from '../../../protocol/message-type.js';

/** The display's properties besides its size. */
export interface PictureSize {
  readonly width: number;
  readonly height: number;
}

/** What was asked for. */
export interface PictureOptions {
  /** Most frames per second. */
  readonly fps: number;
  readonly quality: Quality;
}

/** `user u32, display`: the size of the frames that follow. */
export function displayMessage({ width, height }: PictureSize, { fps, quality }: PictureOptions): Buffer {
  const display = { width, height, fps, quality: QUALITY_CODES[quality], chroma: false };
  return body(fromHelper.display.encode(display, USER_BYTES));
}

/** `user u32, video`: an access unit in Annex B, after what must be before it. `time` in microseconds. */
export function videoMessage(isKey: boolean, frame: number, time: bigint, parts: readonly Uint8Array[]): Buffer {
  const header = fromHelper.video.encode({ flags: isKey ? VideoFlag.key : 0, frame, time }, USER_BYTES);
  return Buffer.concat([header, ...parts]);
}

/** `user u32, audio`: an Opus packet. `time` in microseconds. */
export function audioMessage(sequence: number, time: bigint, packet: Uint8Array): Buffer {
  return Buffer.concat([fromHelper.audio.encode({ flags: 0, sequence, time }, USER_BYTES), packet]);
}

const body = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);

import { MEDIA_HEADER_BYTES, MessageType, VideoFlag } from '../../protocol/message-type.js';
import { USER_BYTES } from '../display/messages.js';

/** Bytes a link may have waiting before its media are dropped. */
export const BACKLOG_MAX_BYTES = 8 << 20;

/** Bytes at which it may have media again. */
const BACKLOG_LOW_BYTES = 1 << 20;

/** Bytes at which a link takes nothing any more, not even small messages, and is cut. */
export const BACKLOG_DEAD_BYTES = 32 << 20;

export type Offer = 'send' | 'drop' | 'drop and ask for a key frame';

const isMedia = (type: number | undefined) => type === MessageType.video || type === MessageType.audio;
const isKey = (body: Uint8Array) =>
  body.length >= USER_BYTES + MEDIA_HEADER_BYTES && ((body[USER_BYTES + 1] ?? 0) & VideoFlag.key) !== 0;

/** Decides what of the stream a link gets: behind a slow link media are dropped up to a key frame. */
export class VideoGate {
  #state: 'open' | 'full' | 'awaiting key frame' = 'open';

  /** Offers `user u32, message` to a link that has `backlog` bytes waiting. */
  offer(body: Uint8Array, backlog: number): Offer {
    const type = body[USER_BYTES];
    if (!isMedia(type)) return 'send';
    if (backlog > BACKLOG_MAX_BYTES) this.#state = 'full';
    if (this.#state === 'full' && backlog <= BACKLOG_LOW_BYTES) {
      if (type === MessageType.video && isKey(body)) this.#state = 'open';
      else {
        this.#state = 'awaiting key frame';
        return 'drop and ask for a key frame';
      }
    }
    if (this.#state === 'awaiting key frame') {
      if (type === MessageType.audio) return 'send';
      if (isKey(body)) this.#state = 'open';
    }
    return this.#state === 'open' ? 'send' : 'drop';
  }
}

import { fromHelper, USER_BYTES } from '../../protocol/display-helper.js';
import { MessageType, VideoFlag } from '../../protocol/message-type.js';

/** Backlog above which a link's media are dropped, bytes. */
export const BACKLOG_MAX_BYTES = 8 << 20;

/** Backlog below which media resume, bytes. */
const BACKLOG_LOW_BYTES = 1 << 20;

/** Backlog above which a link counts as dead and is closed, bytes. */
export const BACKLOG_DEAD_BYTES = 32 << 20;

export type Offer = 'send' | 'drop' | 'drop and ask for a key frame';

const isMedia = (type: number | undefined) => type === MessageType.video || type === MessageType.audio;
const isKey = (body: Uint8Array) => ((fromHelper.video.decode(body, USER_BYTES)?.flags ?? 0) & VideoFlag.key) !== 0;

/** Decides which media a link gets: if the link is slow, media are dropped up to the next key frame. */
export class VideoGate {
  #state: 'open' | 'full' | 'awaiting key frame' = 'open';

  /** Offers `user u32, message` to a link with `backlog` buffered bytes. */
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

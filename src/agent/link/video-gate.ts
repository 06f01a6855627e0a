import { fromHelper, USER_BYTES } from '../../protocol/display-helper.js';
import { MessageType, VideoFlag } from '../../protocol/message-type.js';

/** Backlog above which a link's media are dropped, bytes. */
export const BACKLOG_MAX_BYTES = 8 << 20;

/** Backlog below which media resume, bytes. */
const BACKLOG_LOW_BYTES = 1 << 20;

/** Backlog above which a link counts as dead and is closed, bytes. */
export const BACKLOG_DEAD_BYTES = 32 << 20;

export type Offer = 'send' | 'drop' | 'drop and ask for a key frame';

/** Whether `user u32, message` is a frame of the small layer. */
export const isSmall = (body: Uint8Array): boolean => (flagsOf(body) & VideoFlag.small) !== 0;

const MEDIA: ReadonlySet<number | undefined> = new Set([MessageType.video, MessageType.audio, MessageType.patch]);
const flagsOf = (body: Uint8Array) => fromHelper.video.decode(body, USER_BYTES)?.flags ?? 0;

/** A layer that missed a frame continues with a key frame, which is requested when its next frame comes. */
type LayerState = 'complete' | 'lacks a frame' | 'awaits a key frame';

/** Decides which media a link gets: if the link is slow, media are dropped, video up to the layer's next key frame. */
export class VideoGate {
  #isFull = false;
  readonly #layers: { full: LayerState; small: LayerState } = { full: 'complete', small: 'complete' };

  /** Offers `user u32, message` to a link with `backlog` buffered bytes. */
  offer(body: Uint8Array, backlog: number): Offer {
    const type = body[USER_BYTES];
    if (!MEDIA.has(type)) return 'send';
    if (backlog > BACKLOG_MAX_BYTES) {
      this.#isFull = true;
      this.#layers.full = this.#layers.small = 'lacks a frame';
    }
    if (backlog <= BACKLOG_LOW_BYTES) this.#isFull = false;
    if (this.#isFull) return 'drop';
    switch (type) {
      case MessageType.video:
        return this.#offerFrame(body);
      case MessageType.patch:
        return this.#layers.full === 'complete' ? 'send' : 'drop';
      default:
        return 'send';
    }
  }

  #offerFrame(body: Uint8Array): Offer {
    const layer = isSmall(body) ? 'small' : 'full';
    if ((flagsOf(body) & VideoFlag.key) !== 0) this.#layers[layer] = 'complete';
    switch (this.#layers[layer]) {
      case 'complete':
        return 'send';
      case 'lacks a frame':
        this.#layers[layer] = 'awaits a key frame';
        return 'drop and ask for a key frame';
      case 'awaits a key frame':
        return 'drop';
    }
  }
}

import type { StreamWish } from '../../agent-link/index.js';
import type { MediaWish } from './media-sink.js';

/** The combined subscription of all viewers. */
export interface Subscription extends StreamWish {
  /** Every viewer that watches can decode 4:4:4. */
  chroma444: boolean;
}

export function subscriptionOf(wishes: Iterable<MediaWish>): Subscription {
  const demand: Subscription = { video: false, audio: false, chroma444: true };
  for (const wish of wishes) {
    demand.video ||= wish.video;
    demand.audio ||= wish.audio;
    if (wish.video) demand.chroma444 &&= wish.chroma444;
  }
  demand.chroma444 &&= demand.video;
  return demand;
}

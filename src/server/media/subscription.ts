import type { StreamSubscription } from '../agent-link/index.js';
import type { MediaSubscription } from './media-sink.js';

/** The combined subscription of all viewers. */
export interface CombinedSubscription extends StreamSubscription {
  /** Every viewer that watches can decode 4:4:4. */
  chroma444: boolean;
}

export function combinedSubscription(subscriptions: Iterable<MediaSubscription>): CombinedSubscription {
  const all: CombinedSubscription = { video: false, audio: false, chroma444: true };
  for (const subscription of subscriptions) {
    all.video ||= subscription.video;
    all.audio ||= subscription.audio;
    if (subscription.video) all.chroma444 &&= subscription.chroma444;
  }
  all.chroma444 &&= all.video;
  return all;
}

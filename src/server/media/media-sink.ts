import type { Layer, StreamSubscription, VideoFrame } from '../agent-link/index.js';
import type { PathRate } from './shared-rate.js';

/** A sink's subscription. */
export interface MediaSubscription {
  video: boolean;
  audio: boolean;
  /** It decodes 4:4:4. */
  chroma444: boolean;
}

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

/** Receives a session's media as they arrive, such as a viewer's socket. Nothing here blocks. */
export interface MediaSink {
  readonly subscription: MediaSubscription;
  readonly video: VideoFlow;
  /** Bytes buffered for sending. */
  readonly waitingBytes: number;
  /** Takes a frame, or drops it if the sink is behind; returns whether it was taken. `now`: ms of performance.now(). */
  offerVideo(frame: VideoFrame, now: number): boolean;
  /** Takes a patch, or drops it if the sink is behind; returns whether it was taken. */
  offerPatch(bytes: Buffer): boolean;
  /** Takes an audio packet, or drops it if the sink is behind; returns whether it was taken. */
  offerAudio(bytes: Buffer): boolean;
}

/** The flow of a sink's video: of one layer. It stops when a frame is dropped, and resumes with a key frame. */
export interface VideoFlow {
  /** The layer that it gets, from that layer's next key frame on. */
  readonly layer: Layer;
  /** Whether it gets its layer's frames now. */
  readonly isFlowing: boolean;
  /** Whether it stopped because the sink is behind. */
  readonly isBehind: boolean;
  /** Changes the layer, to the full one without a gap: the small one's frames go on until the key frame. */
  move(layer: Layer): void;
  /** Whether the frame is one to offer. */
  takes(frame: VideoFrame): boolean;
  /** The rate that its path can carry. */
  rate(now: number): PathRate;
  /** Whether it can take a key frame now, while it does not flow. */
  wantsKey(waitingBytes: number, now: number): boolean;
  /** A key frame was requested on its behalf. */
  asked(now: number): void;
  /** Restarts with a key frame. */
  reset(): void;
}

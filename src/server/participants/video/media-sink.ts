import type { VideoFrame } from '../../agent-link/index.js';
import type { PathRate } from './congestion-control.js';

/** What a sink wants of the stream. */
export interface MediaWish {
  video: boolean;
  audio: boolean;
  /** It decodes 4:4:4. */
  chroma444: boolean;
}

/** Takes a session's media as they come, such as a viewer's socket. Nothing here waits. */
export interface MediaSink {
  readonly wish: MediaWish;
  readonly video: VideoFlow;
  /** Bytes that wait to be taken off its hands. */
  readonly waitingBytes: number;
  /** Takes a frame, or drops it where it is behind; whether it was taken. `now`: ms of performance.now(). */
  offerVideo(frame: VideoFrame, now: number): boolean;
  /** Takes a packet of sound, or drops it where it is behind; whether it was taken. */
  offerAudio(bytes: Buffer): boolean;
}

/** How a sink's video flows; it has stopped where a frame was dropped, and goes on with a key frame. */
export interface VideoFlow {
  readonly isOpen: boolean;
  /** What its path carries. */
  rate(now: number): PathRate;
  /** Whether it can take a key frame now, while it has stopped. */
  wantsKey(waitingBytes: number, now: number): boolean;
  /** A key frame was asked for on its behalf. */
  asked(now: number): void;
  /** Starts afresh, with a key frame. */
  reset(): void;
}

import type { VideoFrame } from '../../agent-link/index.js';
import type { PathRate } from './congestion-control.js';

/** A sink's subscription. */
export interface MediaSubscription {
  video: boolean;
  audio: boolean;
  /** It decodes 4:4:4. */
  chroma444: boolean;
}

/** Receives a session's media as they arrive, such as a viewer's socket. Nothing here blocks. */
export interface MediaSink {
  readonly subscription: MediaSubscription;
  readonly video: VideoFlow;
  /** Bytes buffered for sending. */
  readonly waitingBytes: number;
  /** Takes a frame, or drops it if the sink is behind; returns whether it was taken. `now`: ms of performance.now(). */
  offerVideo(frame: VideoFrame, now: number): boolean;
  /** Takes an audio packet, or drops it if the sink is behind; returns whether it was taken. */
  offerAudio(bytes: Buffer): boolean;
}

/** The flow of a sink's video. It stops when a frame is dropped, and resumes with a key frame. */
export interface VideoFlow {
  readonly isOpen: boolean;
  /** The rate that its path can carry. */
  rate(now: number): PathRate;
  /** Whether it can take a key frame now, while stopped. */
  wantsKey(waitingBytes: number, now: number): boolean;
  /** A key frame was requested on its behalf. */
  asked(now: number): void;
  /** Restarts with a key frame. */
  reset(): void;
}

import { keyframeMessage, rateMessage, type VideoFrame } from '../../agent-link/index.js';
import type { HubMetrics } from '../types.js';
import { sharedRate, type PathRate } from './congestion-control.js';
import type { MediaSink } from './media-sink.js';

/** How often stopped sinks are checked, ms. */
const SWEEP_MS = 50;

/** Relative change of the rate that is worth sending to the encoder. */
const RATE_STEP = 0.03;

/**
 * One encoding of a session's video: distributes its frames to sinks, and requests the key frames and the bit rate they
 * need.
 */
export class VideoLayer {
  readonly #sinks: ReadonlySet<MediaSink>;
  readonly #send: (message: Buffer) => void;
  readonly #metrics: HubMetrics;
  readonly #keyframes: KeyframeRequests;
  #isOn = false;
  #kbps = 0;
  #sweep: NodeJS.Timeout | undefined;

  constructor(sinks: ReadonlySet<MediaSink>, send: (message: Buffer) => void, metrics: HubMetrics) {
    this.#sinks = sinks;
    this.#send = send;
    this.#metrics = metrics;
    this.#keyframes = new KeyframeRequests(() => {
      send(keyframeMessage());
      metrics.keyframeRequests(1);
    });
  }

  /** Distributes a frame to all sinks that want it. */
  offer(frame: VideoFrame): void {
    const now = performance.now();
    if (frame.key) this.#keyframes.arrived();
    let sent = 0;
    let dropped = 0;
    for (const sink of this.#sinks) {
      if (!sink.subscription.video) continue;
      if (sink.offerVideo(frame, now)) sent++;
      else dropped++;
    }
    this.#metrics.framesReceived(1);
    this.#metrics.framesSent(sent);
    this.#metrics.bytesSent(sent * frame.bytes.length);
    if (dropped > 0) {
      this.#metrics.framesDropped(dropped);
      if (this.#sweep === undefined) this.attend();
    }
    this.#adaptRate(now);
  }

  /** Starts or stops the encoder. It starts with a key frame. */
  switch(on: boolean): void {
    const now = performance.now();
    if (on && !this.#isOn) this.#keyframes.expected(now);
    this.#isOn = on;
    this.#adaptRate(now);
  }

  /** Checks stopped sinks until none is left. */
  attend(): void {
    clearTimeout(this.#sweep);
    const wait = this.#tend(performance.now());
    this.#sweep = wait === null ? undefined : setTimeout(() => this.attend(), wait);
  }

  /** Brings a new link up to date; every sink starts with a key frame. */
  renew(): void {
    for (const sink of this.#sinks) sink.video.reset();
    this.#kbps = 0;
    const now = performance.now();
    this.#adaptRate(now);
    if (this.#isOn) this.#keyframes.expected(now);
    this.attend();
  }

  stop(): void {
    clearTimeout(this.#sweep);
  }

  /** Requests a key frame if a sink needs one; returns when to check again, ms, or null if all sinks are flowing. */
  #tend(now: number): number | null {
    let stopped = 0;
    const wanting: MediaSink[] = [];
    for (const sink of this.#sinks) {
      if (!sink.subscription.video || sink.video.isOpen) continue;
      stopped++;
      if (sink.video.wantsKey(sink.waitingBytes, now)) wanting.push(sink);
    }
    if (stopped === 0) return null;
    const wait = wanting.length === 0 ? SWEEP_MS : this.#keyframes.request(now);
    if (wait > 0) return Math.min(wait, SWEEP_MS);
    for (const sink of wanting) sink.video.asked(now);
    return SWEEP_MS;
  }

  #adaptRate(now: number): void {
    if (!this.#isOn) return;
    const paths: PathRate[] = [];
    for (const sink of this.#sinks) if (sink.subscription.video) paths.push(sink.video.rate(now));
    const kbps = sharedRate(paths);
    if (Math.abs(kbps - this.#kbps) <= this.#kbps * RATE_STEP) return;
    this.#kbps = kbps;
    this.#send(rateMessage(kbps));
  }
}

/** After this long a requested key frame that has not arrived is requested again, ms. */
const OVERDUE_MS = 300;

/** Coalesces key frame requests: one key frame serves all viewers. */
class KeyframeRequests {
  #dueSince = -Infinity;

  constructor(readonly ask: () => void) {}

  /** Requests one and returns 0, unless one is pending: then returns the time in ms after which to try again. */
  request(now: number): number {
    const wait = this.#dueSince + OVERDUE_MS - now;
    if (wait > 0) return wait;
    this.#dueSince = now;
    this.ask();
    return 0;
  }

  /** A key frame will come without a request, as at the start of the stream. */
  expected(now: number): void {
    this.#dueSince = now;
  }

  /** A key frame arrived. */
  arrived(): void {
    this.#dueSince = -Infinity;
  }
}

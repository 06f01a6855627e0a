import type { Layer, VideoFrame } from '../agent-link/index.js';
import type { MediaMetrics } from './metrics.js';
import type { MediaSink } from './media-sink.js';
import type { PathRate } from './shared-rate.js';
import { Throughput } from './windowed-stats.js';

/** How often stopped sinks are checked, ms. */
const SWEEP_MS = 50;

/** Relative change of the rate that is worth sending to the encoder. */
const RATE_STEP = 0.03;

const USE_WINDOW_MS = 2000;

/** Requests to a layer's encoder. */
export interface LayerEncoder {
  requestKeyframe(): void;
  /** Sets the maximum bit rate, kbit/s. */
  setRate(kbps: number): void;
}

/**
 * One encoding of a session's video: distributes its frames to the sinks that get this layer, and requests the key
 * frames and the bit rate they need.
 */
export class VideoLayer {
  readonly #name: Layer;
  readonly #sinks: ReadonlySet<MediaSink>;
  readonly #encoder: LayerEncoder;
  readonly #commonRate: (paths: readonly PathRate[]) => number;
  readonly #metrics: MediaMetrics;
  readonly #keyframes: KeyframeRequests;
  readonly #used = new Throughput(USE_WINDOW_MS);
  #keyBytes = 0;
  #isOn = false;
  /** When it was switched on, if no frame has come since. */
  #awaitedSince: number | undefined;
  #kbps = 0;
  #sweep: NodeJS.Timeout | undefined;

  /** `commonRate`: the bit rate for all these paths, kbit/s. */
  constructor(
    name: Layer,
    sinks: ReadonlySet<MediaSink>,
    encoder: LayerEncoder,
    commonRate: (paths: readonly PathRate[]) => number,
    metrics: MediaMetrics,
  ) {
    this.#name = name;
    this.#sinks = sinks;
    this.#encoder = encoder;
    this.#commonRate = commonRate;
    this.#metrics = metrics;
    this.#keyframes = new KeyframeRequests(() => {
      encoder.requestKeyframe();
      metrics.keyframeRequests(1);
    });
  }

  get isOn(): boolean {
    return this.#isOn;
  }

  /** How long the encoder has been on without a single frame, ms. */
  silentMs(now: number): number {
    return this.#awaitedSince === undefined ? 0 : now - this.#awaitedSince;
  }

  /** Size of its last key frame, bytes; 0 before the first. */
  get keyBytes(): number {
    return this.#keyBytes;
  }

  /** Rate of its frames in the last seconds, kbit/s. */
  usedKbps(now: number): number {
    return this.#used.kbps(now);
  }

  /** Whether the sink gets every frame of this layer. */
  feeds(sink: MediaSink): boolean {
    return this.#serves(sink) && sink.video.isFlowing;
  }

  /** Distributes a frame to all sinks that want it. */
  distribute(frame: VideoFrame, now: number): void {
    const { length } = frame.bytes;
    this.#used.add(length, now);
    this.#awaitedSince = undefined;
    if (frame.key) {
      this.#keyframes.arrived();
      this.#keyBytes = length;
    }
    let sent = 0;
    let dropped = 0;
    for (const sink of this.#sinks) {
      if (!sink.subscription.video || !sink.video.takes(frame)) continue;
      if (sink.offerVideo(frame, now)) sent++;
      else dropped++;
    }
    this.#metrics.framesReceived(1);
    this.#metrics.framesSent(sent);
    this.#metrics.bytesSent(sent * length);
    if (dropped > 0) {
      this.#metrics.framesDropped(dropped);
      if (this.#sweep === undefined) this.attend();
    }
    this.#adaptRate(now);
  }

  /** The encoder starts or stops. It starts with a key frame. */
  switch(on: boolean): void {
    const now = performance.now();
    if (on && !this.#isOn) {
      this.#keyframes.expected(now);
      this.#kbps = 0;
    }
    if (on !== this.#isOn) this.#awaitedSince = on ? now : undefined;
    this.#isOn = on;
    this.#adaptRate(now);
  }

  /** Checks stopped sinks until none is left. */
  attend(): void {
    clearTimeout(this.#sweep);
    const wait = this.#tend(performance.now());
    this.#sweep = wait === null ? undefined : setTimeout(() => this.attend(), wait);
  }

  /** Brings a new link up to date; the sinks start with a key frame. */
  renew(): void {
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
      if (!this.#serves(sink) || sink.video.isFlowing) continue;
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
    for (const sink of this.#sinks) if (this.#serves(sink)) paths.push(sink.video.rate(now));
    const kbps = this.#commonRate(paths);
    if (Math.abs(kbps - this.#kbps) <= this.#kbps * RATE_STEP) return;
    this.#kbps = kbps;
    this.#encoder.setRate(kbps);
  }

  #serves({ subscription, video }: MediaSink): boolean {
    return subscription.video && video.layer === this.#name;
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

import { keyframeMessage, rateMessage, type VideoFrame } from '../../agent-link/index.js';
import type { HubMetrics } from '../types.js';
import { sharedRate, type PathRate } from './congestion-control.js';
import type { MediaSink } from './media-sink.js';

/** How often sinks whose video has stopped are looked after, ms. */
const SWEEP_MS = 50;

/** Change of the rate, as a share of it, that is worth telling the encoder. */
const RATE_STEP = 0.03;

/** One encoding of a session's picture: hands its frames to sinks, and asks for the key frames and the rate they need. */
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

  /** Hands a frame to all who want it. */
  offer(frame: VideoFrame): void {
    const now = performance.now();
    if (frame.key) this.#keyframes.arrived();
    let sent = 0;
    let dropped = 0;
    for (const sink of this.#sinks) {
      if (!sink.wish.video) continue;
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

  /** The encoder is to run, or not. It starts with a key frame. */
  switch(on: boolean): void {
    const now = performance.now();
    if (on && !this.#isOn) this.#keyframes.expected(now);
    this.#isOn = on;
    this.#adaptRate(now);
  }

  /** Looks after sinks whose video has stopped, until none has. */
  attend(): void {
    clearTimeout(this.#sweep);
    const wait = this.#tend(performance.now());
    this.#sweep = wait === null ? undefined : setTimeout(() => this.attend(), wait);
  }

  /** Tells a new link everything; every sink starts with a key frame. */
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

  /** Asks for a key frame where a sink needs one; when to look again, ms, or null when the video of all flows. */
  #tend(now: number): number | null {
    let stopped = 0;
    const wanting: MediaSink[] = [];
    for (const sink of this.#sinks) {
      if (!sink.wish.video || sink.video.isOpen) continue;
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
    for (const sink of this.#sinks) if (sink.wish.video) paths.push(sink.video.rate(now));
    const kbps = sharedRate(paths);
    if (Math.abs(kbps - this.#kbps) <= this.#kbps * RATE_STEP) return;
    this.#kbps = kbps;
    this.#send(rateMessage(kbps));
  }
}

/** A key frame that was asked for and has not come after so long is asked for again, ms. */
const OVERDUE_MS = 300;

/** Coalesces the wishes of many viewers for a key frame: the next one lets the video of all go on. */
class KeyframeRequests {
  #dueSince = -Infinity;

  constructor(readonly ask: () => void) {}

  /** Asks and returns 0, unless one is on its way: then the time in ms after which to try again. */
  request(now: number): number {
    const wait = this.#dueSince + OVERDUE_MS - now;
    if (wait > 0) return wait;
    this.#dueSince = now;
    this.ask();
    return 0;
  }

  /** A key frame will come without asking, as when the stream starts. */
  expected(now: number): void {
    this.#dueSince = now;
  }

  /** A key frame came. */
  arrived(): void {
    this.#dueSince = -Infinity;
  }
}

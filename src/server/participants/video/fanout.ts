import { KeyframeRequests } from './keyframes.js';
import {
  keyframeMessage,
  rateMessage,
  streamMessage,
  type StreamWish,
  type VideoFrame,
} from '../../agent-link/index.js';
import { sharedRate, type PathRate } from './congestion-control.js';
import type { HubMetrics } from '../types.js';
import type { Viewer } from '../viewer/viewer.js';

/** How often closed gates are looked after, ms. */
const SWEEP_MS = 50;

/** Change of the rate, as a share of it, that is worth telling the encoder. */
const RATE_STEP = 0.03;

/**
 * Hands media to viewers, and asks the agent for what they need: media, key frames, a rate. Handing out is
 * synchronous and waits for nobody.
 */
export class Fanout {
  readonly #viewers: ReadonlySet<Viewer>;
  readonly #send: (message: Buffer) => void;
  readonly #metrics: HubMetrics;
  readonly #keyframes: KeyframeRequests;
  #wish: StreamWish = { video: false, audio: false };
  #kbps = 0;
  #sweep: NodeJS.Timeout | undefined;

  constructor(viewers: ReadonlySet<Viewer>, send: (message: Buffer) => void, metrics: HubMetrics) {
    this.#viewers = viewers;
    this.#send = send;
    this.#metrics = metrics;
    this.#keyframes = new KeyframeRequests(() => {
      send(keyframeMessage());
      metrics.keyframeRequests(1);
    });
  }

  video(frame: VideoFrame): void {
    const now = performance.now();
    if (frame.key) this.#keyframes.arrived();
    let sent = 0;
    let dropped = 0;
    for (const viewer of this.#viewers) {
      if (!viewer.wish.video) continue;
      if (viewer.offerVideo(frame, now)) sent++;
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

  audio(bytes: Buffer): void {
    let sent = 0;
    for (const viewer of this.#viewers) if (viewer.wish.audio && viewer.offerAudio(bytes)) sent++;
    this.#metrics.bytesSent(sent * bytes.length);
  }

  /** Tells the agent which media are wanted, when that has changed. */
  want({ video, audio }: StreamWish): void {
    if (video === this.#wish.video && audio === this.#wish.audio) return;
    // The helper starts with a key frame.
    if (video && !this.#wish.video) this.#keyframes.expected(performance.now());
    this.#wish = { video, audio };
    this.#send(streamMessage(this.#wish));
    this.#adaptRate(performance.now());
  }

  /** Looks after closed gates until all are open. */
  attend(): void {
    clearTimeout(this.#sweep);
    const wait = this.#tend(performance.now());
    this.#sweep = wait === null ? undefined : setTimeout(() => this.attend(), wait);
  }

  /** Tells a new link everything; every viewer starts with a key frame. */
  renew(): void {
    for (const viewer of this.#viewers) viewer.video.reset();
    this.#send(streamMessage(this.#wish));
    this.#kbps = 0;
    this.#adaptRate(performance.now());
    if (this.#wish.video) this.#keyframes.expected(performance.now());
    this.attend();
  }

  stop(): void {
    clearTimeout(this.#sweep);
  }

  /** Asks for a key frame where a viewer needs one; when to look again, ms, or null when all gates are open. */
  #tend(now: number): number | null {
    let closed = 0;
    const wanting: Viewer[] = [];
    for (const viewer of this.#viewers) {
      if (!viewer.wish.video || viewer.video.isOpen) continue;
      closed++;
      if (viewer.video.wantsKey(viewer.waitingBytes, now)) wanting.push(viewer);
    }
    if (closed === 0) return null;
    const wait = wanting.length === 0 ? SWEEP_MS : this.#keyframes.request(now);
    if (wait > 0) return Math.min(wait, SWEEP_MS);
    for (const viewer of wanting) viewer.video.asked(now);
    return SWEEP_MS;
  }

  #adaptRate(now: number): void {
    if (!this.#wish.video) return;
    const paths: PathRate[] = [];
    for (const viewer of this.#viewers) if (viewer.wish.video) paths.push(viewer.video.rate(now));
    const kbps = sharedRate(paths);
    if (Math.abs(kbps - this.#kbps) <= this.#kbps * RATE_STEP) return;
    this.#kbps = kbps;
    this.#send(rateMessage(kbps));
  }
}

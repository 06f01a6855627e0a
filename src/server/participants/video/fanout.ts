import { streamMessage, type StreamSubscription, type VideoFrame } from '../../agent-link/index.js';
import type { HubMetrics } from '../types.js';
import type { MediaSink } from './media-sink.js';
import { VideoLayer } from './video-layer.js';

/**
 * Distributes media to sinks, and requests from the agent what they need. Distribution is synchronous and never blocks.
 */
export class Fanout {
  readonly #sinks: ReadonlySet<MediaSink>;
  readonly #send: (message: Buffer) => void;
  readonly #metrics: HubMetrics;
  readonly #layer: VideoLayer;
  #subscription: StreamSubscription = { video: false, audio: false };

  constructor(sinks: ReadonlySet<MediaSink>, send: (message: Buffer) => void, metrics: HubMetrics) {
    this.#sinks = sinks;
    this.#send = send;
    this.#metrics = metrics;
    this.#layer = new VideoLayer(sinks, send, metrics);
  }

  video(frame: VideoFrame): void {
    this.#layer.offer(frame);
  }

  audio(bytes: Buffer): void {
    let sent = 0;
    for (const sink of this.#sinks) if (sink.subscription.audio && sink.offerAudio(bytes)) sent++;
    this.#metrics.bytesSent(sent * bytes.length);
  }

  /** Tells the agent which media are wanted, if that has changed. */
  want({ video, audio }: StreamSubscription): void {
    if (video === this.#subscription.video && audio === this.#subscription.audio) return;
    this.#subscription = { video, audio };
    this.#send(streamMessage(this.#subscription));
    this.#layer.switch(video);
  }

  /** Resumes sinks whose video has stopped; see VideoLayer.attend. */
  attend(): void {
    this.#layer.attend();
  }

  /** Brings a new link up to date; every sink starts with a key frame. */
  renew(): void {
    this.#send(streamMessage(this.#subscription));
    this.#layer.renew();
  }

  stop(): void {
    this.#layer.stop();
  }
}

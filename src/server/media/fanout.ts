import {
  keyframeMessage,
  type Layer,
  rateMessage,
  smallKeyframeMessage,
  smallLayerMessage,
  streamMessage,
  type StreamSubscription,
  type VideoFrame,
} from '../agent-link/index.js';
import type { MediaMetrics } from './metrics.js';
import { LayerSelector, SELECT_INTERVAL_MS } from './layer-selector.js';
import type { MediaSink } from './media-sink.js';
import { type PathRate, SHARED_MIN_KBPS, sharedRate, SMALL_MIN_KBPS, tooSlowBelow } from './shared-rate.js';
import { VideoLayer } from './video-layer.js';

/** A small layer of which no frame comes for so long after its start is given up, ms. */
const SMALL_START_MS = 3000;

/**
 * Distributes media to sinks, and requests from the agent what they need. Distribution is synchronous and never blocks.
 */
export class Fanout {
  readonly #sinks: ReadonlySet<MediaSink>;
  readonly #send: (message: Buffer) => void;
  readonly #metrics: MediaMetrics;
  readonly #full: VideoLayer;
  readonly #small: VideoLayer;
  readonly #selector: LayerSelector;
  #hasSmall = false;
  #selectAt = -Infinity;
  /** Runs while the small layer is needed: frames of a still screen do not come to say that it no longer is. */
  #selecting: NodeJS.Timeout | undefined;
  #subscription: StreamSubscription = { video: false, audio: false };

  constructor(sinks: ReadonlySet<MediaSink>, send: (message: Buffer) => void, metrics: MediaMetrics) {
    this.#sinks = sinks;
    this.#send = send;
    this.#metrics = metrics;
    this.#selector = new LayerSelector(sinks);
    this.#full = new VideoLayer(
      'full',
      sinks,
      { requestKeyframe: () => send(keyframeMessage()), setRate: kbps => send(rateMessage(kbps)) },
      paths => sharedRate(paths, this.#hasSmall ? leastForFull(paths) : SHARED_MIN_KBPS),
      metrics,
    );
    this.#small = new VideoLayer(
      'small',
      sinks,
      { requestKeyframe: () => send(smallKeyframeMessage()), setRate: kbps => send(smallLayerMessage(kbps)) },
      paths => sharedRate(paths, SMALL_MIN_KBPS),
      metrics,
    );
  }

  video(frame: VideoFrame): void {
    const now = performance.now();
    if (frame.layer === 'small') this.#metrics.smallFramesReceived(1);
    this.#of(frame.layer).distribute(frame, now);
    if (this.#hasSmall && now >= this.#selectAt) this.#select(now);
  }

  /** A frame of a layer is missing: who gets that layer restarts with a key frame. */
  lost(layer: Layer): void {
    const flowing = [...this.#sinks].filter(({ video }) => video.layer === layer && video.isFlowing);
    if (flowing.length === 0) return;
    for (const { video } of flowing) video.reset();
    this.#of(layer).attend();
  }

  /** A patch goes to who has every frame of the full layer. */
  patch(bytes: Buffer): void {
    let sent = 0;
    for (const sink of this.#sinks) if (this.#full.feeds(sink) && sink.offerPatch(bytes)) sent++;
    this.#metrics.bytesSent(sent * bytes.length);
  }

  audio(bytes: Buffer): void {
    let sent = 0;
    for (const sink of this.#sinks) if (sink.subscription.audio && sink.offerAudio(bytes)) sent++;
    this.#metrics.bytesSent(sent * bytes.length);
  }

  /** The agent can encode this many layers. */
  layers(count: number): void {
    this.#hasSmall = count > 1;
  }

  /** Tells the agent which media are wanted, if that has changed. */
  want({ video, audio }: StreamSubscription): void {
    if (this.#small.isOn) this.#select(performance.now());
    if (video === this.#subscription.video && audio === this.#subscription.audio) return;
    this.#subscription = { video, audio };
    this.#send(streamMessage(this.#subscription));
    this.#full.switch(video);
  }

  /** Resumes sinks whose video has stopped; see VideoLayer.attend. */
  attend(): void {
    this.#full.attend();
    this.#small.attend();
  }

  /** Brings a new link up to date; every sink starts with a key frame. */
  renew(): void {
    for (const sink of this.#sinks) sink.video.reset();
    this.#send(streamMessage(this.#subscription));
    this.#full.renew();
    this.#small.renew();
  }

  stop(): void {
    clearInterval(this.#selecting);
    this.#full.stop();
    this.#small.stop();
  }

  #of(layer: Layer): VideoLayer {
    return layer === 'full' ? this.#full : this.#small;
  }

  #select(now: number): void {
    this.#selectAt = now + SELECT_INTERVAL_MS;
    if (this.#small.silentMs(now) > SMALL_START_MS) return this.#giveUpSmall();
    const full = { usedKbps: this.#full.usedKbps(now), keyBytes: this.#full.keyBytes };
    const moved = this.#selector.select(full, now);
    this.#switchSmall(this.#selector.isSmallNeeded);
    if (moved) this.attend();
  }

  /** The helper cannot encode it, as without memory: it is not tried again on this link. */
  #giveUpSmall(): void {
    this.#hasSmall = false;
    this.#selector.reset();
    this.#switchSmall(false);
    this.attend();
  }

  #switchSmall(on: boolean): void {
    if (on === this.#small.isOn) return;
    this.#small.switch(on);
    clearInterval(this.#selecting);
    if (on) this.#selecting = setInterval(() => this.#select(performance.now()), SELECT_INTERVAL_MS);
    else this.#send(smallLayerMessage(undefined));
  }
}

/** A slower path is about to get the small layer, or its rate is not known yet: it does not reduce the others' rate. */
function leastForFull(paths: readonly PathRate[]): number {
  let best = 0;
  for (const { capacityKbps, isStalled } of paths) if (!isStalled) best = Math.max(best, capacityKbps);
  return best === 0 ? SHARED_MIN_KBPS : tooSlowBelow(best);
}

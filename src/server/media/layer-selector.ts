import { LayerChoice } from './layer-choice.js';
import type { MediaSink } from './media-sink.js';

/** How often the layers are chosen, ms. */
export const SELECT_INTERVAL_MS = 100;

/** Chooses each sink's layer. */
export class LayerSelector {
  readonly #sinks: ReadonlySet<MediaSink>;
  #choices = new WeakMap<MediaSink, LayerChoice>();

  constructor(sinks: ReadonlySet<MediaSink>) {
    this.#sinks = sinks;
  }

  /** Whether a sink that watches gets the small layer. */
  get isSmallNeeded(): boolean {
    for (const { subscription, video } of this.#sinks) if (subscription.video && video.layer === 'small') return true;
    return false;
  }

  /** Chooses anew, given the full layer's rate and the size of its key frames; whether a sink has moved. */
  select(full: { usedKbps: number; keyBytes: number }, now: number): boolean {
    const { count, best, second } = this.#fullPaths(now);
    let moved = false;
    for (const sink of this.#sinks) {
      const { subscription, video } = sink;
      if (!subscription.video) continue;
      const path = video.rate(now);
      const isAmong = video.layer === 'full';
      const layer = this.#choiceOf(sink).decide(
        { ...path, isBehind: video.isBehind },
        { ...full, others: count - (isAmong ? 1 : 0), bestKbps: best.sink === sink ? second : best.kbps },
        now,
      );
      if (layer === video.layer) continue;
      video.move(layer);
      moved = true;
    }
    return moved;
  }

  /** Gives every sink the full layer. */
  reset(): void {
    this.#choices = new WeakMap();
    for (const { video } of this.#sinks) if (video.layer === 'small') video.move('full');
  }

  /** How many sinks get the full layer, and the two fastest paths among them. */
  #fullPaths(now: number) {
    let count = 0;
    let second = 0;
    let best: { sink: MediaSink | undefined; kbps: number } = { sink: undefined, kbps: 0 };
    for (const sink of this.#sinks) {
      if (!sink.subscription.video || sink.video.layer !== 'full') continue;
      count++;
      const { capacityKbps: kbps, isStalled } = sink.video.rate(now);
      if (isStalled) continue;
      if (kbps > best.kbps) {
        second = best.kbps;
        best = { sink, kbps };
      } else second = Math.max(second, kbps);
    }
    return { count, best, second };
  }

  #choiceOf(sink: MediaSink): LayerChoice {
    const known = this.#choices.get(sink);
    if (known !== undefined) return known;
    const choice = new LayerChoice();
    this.#choices.set(sink, choice);
    return choice;
  }
}

import type { Delivery } from './flight.js';
import { Throughput, WindowedMinimum } from './windows.js';

/** Ceiling of the encoder's rate before anything is known of the path, kbit/s. */
export const INITIAL_KBPS = 10_000;
export const MAX_KBPS = 40_000;

/** No path is asked to carry less: below, its viewer misses frames instead. */
export const MIN_KBPS = 250;

/** With several viewers, one whose path carries less than this does not make it worse for the others. */
export const SHARED_MIN_KBPS = 1000;

/** Queueing on the path above which the rate falls, and below which it rises, ms. */
const HIGH_MS = 120;
const LOW_MS = 60;

/** Share of the measured capacity that empties the queue, and that is used afterwards. */
const DRAIN_SHARE = 0.6;
const STEADY_SHARE = 0.85;

/** Factor for each further round trip in which the queue has not emptied. */
const DRAIN_STEP = 0.8;

const GROW_INTERVAL_MS = 200;
const BASE_WINDOW_MS = 10_000;
const USE_WINDOW_MS = 500;

/** How long nothing must be heard for a further cut, ms. */
const STALL_MS = 200;

/** What decoding and drawing may add to the round trip of a ping, ms. */
const PRESENTATION_MS = 150;

/** How far the base may rise over the shortest round trip ever: a queue that never empties would raise it too. */
const DRIFT_MS = 200;

/** How long pings bound the base: some players always show frames later than that, ms. */
const PING_BOUND_MS = 3000;

/**
 * steady: probing upwards since the queue was last empty. draining: the queue on the path is being emptied; `limit`
 * is the rate that filled it, `capacity` what the path then delivered, both kbit/s.
 */
type Phase =
  | { type: 'steady'; since: number }
  | { type: 'draining'; cutAt: number; limit: number; capacity: number };

/**
 * The rate that one viewer's path carries, from the delay of its acknowledgements: on TCP, congestion shows as
 * delay long before anything is lost. Falls within a round trip or two, to a share of what the path was seen
 * to deliver, and probes upwards while the rate is used. Times are ms of any monotonic clock.
 */
export class RateControl {
  #kbps = INITIAL_KBPS;
  #phase: Phase = { type: 'steady', since: -Infinity };
  #shown = new WindowedMinimum(BASE_WINDOW_MS);
  #pinged = new WindowedMinimum(BASE_WINDOW_MS);
  #use = new Throughput(USE_WINDOW_MS);
  #grownAt = -Infinity;
  #least = Infinity;
  #heardAt = -Infinity;
  #firstAt: number | undefined;

  /** Ceiling that suits this path, kbit/s. */
  get kbps(): number {
    return this.#kbps;
  }

  /** Shortest round trip so far, ms; 0 while nothing is known. */
  get baseMs(): number {
    return this.#least === Infinity ? 0 : this.#least;
  }

  /** Whether the path is congested and nothing has been heard of it lately. */
  isStalled(now: number): boolean {
    return this.#phase.type === 'draining' && now - this.#heardAt > STALL_MS;
  }

  // The first acknowledgements may all have queued behind a key frame: a ping before it bounds what they mean.
  get #base(): number {
    const isEarly = this.#firstAt === undefined || this.#heardAt - this.#firstAt < PING_BOUND_MS;
    return Math.min(
      this.#shown.value,
      this.#least + DRIFT_MS,
      isEarly ? this.#pinged.value + PRESENTATION_MS : Infinity,
    );
  }

  /** A ping was answered after `rttMs`. */
  pinged(rttMs: number, now: number): void {
    this.#pinged.add(rttMs, now);
  }

  /** A frame was handed to the socket while the oldest unacknowledged one was `ageMs` old. */
  sent(bytes: number, ageMs: number, now: number): void {
    this.#use.add(bytes, now);
    // A path that has stopped sends no acknowledgements to learn from.
    if (ageMs - this.#base <= HIGH_MS) return;
    if (this.#phase.type === 'steady') this.#drain(this.#kbps, now);
    else if (now - Math.max(this.#phase.cutAt, this.#heardAt) > STALL_MS) this.#cut(this.#phase, now);
  }

  acknowledged(delivery: Delivery, now: number): void {
    this.#heardAt = now;
    this.#firstAt ??= now;
    this.#shown.add(delivery.rttMs, now);
    this.#least = Math.min(this.#least, delivery.rttMs);
    const delay = delivery.rttMs - this.#base;
    if (delay > HIGH_MS) this.#fall(delivery, now);
    else if (delay < LOW_MS) this.#rise(now);
  }

  #fall(delivery: Delivery, now: number): void {
    const phase = this.#phase;
    if (phase.type === 'steady') return this.#drain(delivery.kbps, now);
    phase.capacity = Math.min(phase.limit, delivery.kbps);
    this.#set(Math.min(this.#kbps, phase.capacity * DRAIN_SHARE));
    // What was sent before the last cut says nothing about the rate after it.
    if (delivery.sentAt >= phase.cutAt) this.#cut(phase, now);
  }

  #drain(capacity: number, now: number): void {
    const limit = this.#kbps;
    const known = Math.min(limit, capacity);
    this.#phase = { type: 'draining', cutAt: now, limit, capacity: known };
    this.#set(known * DRAIN_SHARE);
  }

  #cut(phase: Extract<Phase, { type: 'draining' }>, now: number): void {
    phase.cutAt = now;
    this.#set(this.#kbps * DRAIN_STEP);
  }

  #rise(now: number): void {
    if (this.#phase.type === 'draining') {
      this.#set(Math.max(this.#kbps, this.#phase.capacity * STEADY_SHARE));
      this.#phase = { type: 'steady', since: now };
      this.#grownAt = now;
      return;
    }
    if (now - this.#grownAt < GROW_INTERVAL_MS || this.#use.kbps(now) < this.#kbps / 2) return;
    const calmSeconds = (now - this.#phase.since) / 1000;
    this.#set(this.#kbps * (1.01 + Math.min(0.07, calmSeconds * 0.005)));
    this.#grownAt = now;
  }

  #set(kbps: number): void {
    this.#kbps = Math.min(MAX_KBPS, Math.max(MIN_KBPS, kbps));
  }
}

/** What one viewer says about the rate for all. */
export interface PathRate {
  kbps: number;
  /** Nothing is heard of the viewer, or nothing is sent to it. */
  isStalled: boolean;
}

/** The rate that suits all viewers: the slowest above a floor decides, one below it or stalled only when alone. */
export function sharedRate(paths: readonly PathRate[]): number {
  const rates = paths.map(({ kbps }) => kbps);
  if (rates.length === 1) return Math.round(rates[0] ?? MAX_KBPS);
  const able = paths.filter(({ kbps, isStalled }) => !isStalled && kbps >= SHARED_MIN_KBPS);
  if (able.length > 0) return Math.round(Math.min(...able.map(({ kbps }) => kbps)));
  return Math.round(Math.max(SHARED_MIN_KBPS, ...rates));
}

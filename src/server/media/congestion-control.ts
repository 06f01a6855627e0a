import type { Delivery } from './in-flight-frames.js';
import { Throughput, WindowedMinimum } from './windowed-stats.js';

/** Upper bound of the encoder's bit rate before anything is known about the path, kbit/s. */
export const INITIAL_KBPS = 8000;
export const MAX_KBPS = 40_000;

/** Lower bound: on a slower path, the viewer misses frames instead. */
export const MIN_KBPS = 250;

/** Queueing delay on the path above which the rate is reduced, and below which it is increased, ms. */
const HIGH_MS = 120;
const LOW_MS = 60;

/** How long the delay must persist, ms: a single late answer may only mean that this process or the viewer stalled. */
const LASTING_MS = 40;

/** Share of the measured capacity that lets the queue drain, and that is used afterwards. */
const DRAIN_SHARE = 0.6;
const STEADY_SHARE = 0.85;

/**
 * Lower bound of a single reduction, as a share of the rate: the measurement may be of something other than the path.
 */
const LEAST_SHARE = 0.35;

/** Factor for each further round trip in which the queue has not drained. */
const DRAIN_STEP = 0.8;

/** Growth per interval: fast up to the rate before the last reduction, then slowly. */
const GROW_INTERVAL_MS = 200;
const RECOVER_FACTOR = 1.1;
const growFactor = (calmMs: number) => 1.01 + Math.min(0.07, calmMs * 0.000005);

const BASE_WINDOW_MS = 10_000;
const USE_WINDOW_MS = 500;

/** Maximum rise of the base delay over the shortest round trip ever: a queue that never drains would raise it too. */
const DRIFT_MS = 200;

/** Silence after which the rate is reduced again, ms, and the factor. */
const STALL_MS = 200;
const STALL_STEP = 0.5;

/**
 * steady: probing upwards since the queue was last empty, fast below `proven`. draining: the queue on the path has been
 * draining since `cutAt`; `limit` is the rate that filled it, `capacity` what the path then delivered, at least `floor`
 * until the next reduction. All in kbit/s.
 */
type Phase =
  | { type: 'steady'; since: number; proven: number }
  | { type: 'draining'; cutAt: number; limit: number; capacity: number; floor: number };

/**
 * Delay-based congestion control, in the family of TCP Vegas and LEDBAT (RFC 6817): estimates the rate that one
 * viewer's path can carry from the round trips of pings sent after its frames. Over TCP, congestion shows as delay long
 * before any loss, and the player's decoding time does not count. Reduces the rate within one or two round trips, to a
 * share of the measured delivery rate, and probes upwards while the rate is used. Times are ms of any monotonic clock.
 */
export class CongestionControl {
  #kbps = INITIAL_KBPS;
  #phase: Phase = { type: 'steady', since: -Infinity, proven: 0 };
  readonly #base = new WindowedMinimum(BASE_WINDOW_MS);
  readonly #use = new Throughput(USE_WINDOW_MS);
  #least = Infinity;
  #grownAt = -Infinity;
  #heardAt = -Infinity;
  #lateSince: number | undefined;
  #congestedAt = -Infinity;

  /** Maximum bit rate for this path, kbit/s. */
  get kbps(): number {
    return this.#kbps;
  }

  /** What the path carries, kbit/s, while a queue drains too. */
  get capacityKbps(): number {
    return this.#phase.type === 'draining' ? this.#phase.capacity : this.#kbps;
  }

  /** When a queue was last found on the path; -Infinity: never. */
  get congestedAt(): number {
    return this.#congestedAt;
  }

  /** For how long every answer was late, ms; 0: the last one was not. */
  lateMs(now: number): number {
    return this.#lateSince === undefined ? 0 : now - this.#lateSince;
  }

  /** Shortest round trip so far, ms; Infinity before the first measurement. */
  get leastMs(): number {
    return this.#least;
  }

  /** Whether the path is congested and has not been heard from lately. */
  isStalled(now: number): boolean {
    return this.#phase.type === 'draining' && now - this.#heardAt > STALL_MS;
  }

  /** A round trip was measured while nothing else was in flight. */
  measured(rttMs: number, now: number): void {
    this.#base.add(rttMs, now);
    this.#least = Math.min(this.#least, rttMs);
  }

  /** A frame was written to the socket. */
  sent(bytes: number, now: number): void {
    this.#use.add(bytes, now);
  }

  /** The oldest unanswered ping is `ageMs` old. A stalled path sends no answers to learn from. */
  waiting(ageMs: number, now: number): void {
    if (!this.#isLate(ageMs) || !this.#lasts(now)) return;
    if (this.#phase.type === 'steady') this.#drain(this.#kbps, now);
    else if (now - Math.max(this.#phase.cutAt, this.#heardAt) > STALL_MS) {
      this.#phase.capacity *= STALL_STEP;
      this.#cut(this.#phase, STALL_STEP, now);
    }
  }

  /** A ping that followed frames was answered. */
  delivered(delivery: Delivery, now: number): void {
    this.#heardAt = now;
    this.measured(delivery.rttMs, now);
    if (this.#isLate(delivery.rttMs)) {
      if (this.#lasts(now)) this.#fall(delivery, now);
      return;
    }
    this.#lateSince = undefined;
    if (delivery.rttMs - this.#baseMs < LOW_MS) this.#rise(now);
  }

  get #baseMs(): number {
    return Math.min(this.#base.value, this.#least + DRIFT_MS);
  }

  #isLate(rttMs: number): boolean {
    return rttMs - this.#baseMs > HIGH_MS;
  }

  #lasts(now: number): boolean {
    this.#lateSince ??= now;
    if (now - this.#lateSince < LASTING_MS) return false;
    this.#congestedAt = now;
    return true;
  }

  #fall(delivery: Delivery, now: number): void {
    const phase = this.#phase;
    if (phase.type === 'steady') return this.#drain(delivery.kbps, now);
    phase.capacity = Math.min(phase.limit, Math.max(delivery.kbps, phase.floor));
    this.#set(Math.min(this.#kbps, phase.capacity * DRAIN_SHARE));
    // What was sent before the last reduction says nothing about the rate after it.
    if (delivery.sentAt >= phase.cutAt) this.#cut(phase, DRAIN_STEP, now);
  }

  #drain(measured: number, now: number): void {
    const limit = this.#kbps;
    const capacity = Math.min(limit, Math.max(measured, limit * LEAST_SHARE));
    this.#phase = { type: 'draining', cutAt: now, limit, capacity, floor: limit * LEAST_SHARE };
    this.#set(capacity * DRAIN_SHARE);
  }

  #cut(phase: Extract<Phase, { type: 'draining' }>, factor: number, now: number): void {
    phase.cutAt = now;
    phase.floor = phase.capacity * LEAST_SHARE;
    this.#set(this.#kbps * factor);
  }

  #rise(now: number): void {
    const phase = this.#phase;
    if (phase.type === 'draining') {
      this.#set(Math.max(this.#kbps, phase.capacity * STEADY_SHARE));
      this.#phase = { type: 'steady', since: now, proven: phase.limit * STEADY_SHARE };
      this.#grownAt = now;
      return;
    }
    if (now - this.#grownAt < GROW_INTERVAL_MS || this.#use.kbps(now) < this.#kbps / 2) return;
    this.#set(this.#kbps * (this.#kbps < phase.proven ? RECOVER_FACTOR : growFactor(now - phase.since)));
    this.#grownAt = now;
  }

  #set(kbps: number): void {
    this.#kbps = Math.min(MAX_KBPS, Math.max(MIN_KBPS, kbps));
  }
}

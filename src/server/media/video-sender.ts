import { InFlightFrames } from './in-flight-frames.js';
import { FrameDropper, type Backlog } from './frame-dropper.js';
import type { Layer, VideoFrame } from '../agent-link/index.js';
import { CongestionControl } from './congestion-control.js';
import type { VideoFlow } from './media-sink.js';
import type { PathRate } from './shared-rate.js';

/** Interval between pings that follow frames, ms. */
const PROBE_INTERVAL_MS = 30;

/** Unanswered pings after which no further one is sent, so that a viewer that answers none costs no memory. */
export const MAX_PROBES = 64;

/**
 * A viewer that answers something this much younger than its oldest unanswered ping does not answer pings, ms. They
 * must be several: a WebSocket client may answer only the newest of those that it reads at once.
 */
export const PROBE_SILENCE_MS = 20_000;
const SILENT_PROBES = 8;

/**
 * Allowance for decoding and drawing on top of the path's round trip, ms; the first frames overestimate it on a slow
 * path.
 */
const PRESENTATION_MS = 250;

/**
 * Sends video to one viewer: tracks frames in flight, decides whether more may be sent, and estimates the path's
 * capacity.
 */
export class VideoSender implements VideoFlow {
  readonly #frames = new InFlightFrames();
  readonly #probes = new InFlightFrames();
  readonly #dropper = new FrameDropper();
  readonly #congestion = new CongestionControl();
  #probe = 0;
  #probedAt = -Infinity;
  #bytesSinceProbe = 0;
  #leastMs = Infinity;
  /** When the newest of what the viewer has answered was sent. */
  #answeredFrom = -Infinity;
  #layer: Layer = 'full';
  /** The layer of the frames that are sent; null: of none until the next key frame. */
  #sentLayer: Layer | null = 'full';

  /** The rate that the viewer's path can carry. */
  rate(now: number): PathRate {
    const { kbps, capacityKbps, congestedAt } = this.#congestion;
    const isStalled = !this.isOpen || this.#congestion.isStalled(now);
    return { kbps, capacityKbps, congestedAt, lateMs: this.#congestion.lateMs(now), isStalled };
  }

  get isOpen(): boolean {
    return this.#dropper.state === 'open';
  }

  get layer(): Layer {
    return this.#layer;
  }

  get isFlowing(): boolean {
    return this.isOpen && this.#sentLayer === this.#layer;
  }

  get isBehind(): boolean {
    return this.#dropper.isBehind;
  }

  move(layer: Layer): void {
    this.#layer = layer;
    if (!this.isOpen) this.#sentLayer = layer;
    // What the path still carries lasts until then; more would only delay the key frame.
    else if (layer === 'small') this.#sentLayer = null;
  }

  takes({ layer, key }: VideoFrame): boolean {
    return layer === this.#sentLayer || (layer === this.#layer && key);
  }

  /** Whether to send the frame, one that it takes; if so, it counts as sent. `socketBytes` are buffered in the viewer's socket. */
  offer(frame: VideoFrame, socketBytes: number, now: number): boolean {
    this.#congestion.waiting(this.#probes.age(now), now);
    const wasOpen = this.isOpen;
    const isSent = this.#dropper.offer(frame.key, this.#backlog(socketBytes, now), now);
    if (frame.layer === this.#layer || !this.isOpen) this.#sentLayer = this.#layer;
    if (!isSent) return false;
    if (!wasOpen) this.#frames.clear();
    this.#congestion.sent(frame.bytes.length, now);
    this.#frames.sent(frame.id, frame.bytes.length, now);
    this.#bytesSinceProbe += frame.bytes.length;
    return true;
  }

  /** The number of a ping to send after the last frame; undefined if none is due. */
  probe(now: number): number | undefined {
    if (now - this.#probedAt < PROBE_INTERVAL_MS || this.#probes.size >= MAX_PROBES) return undefined;
    this.#probes.sent(++this.#probe, this.#bytesSinceProbe, now);
    this.#probedAt = now;
    this.#bytesSinceProbe = 0;
    return this.#probe;
  }

  /** The ping with that number was answered; false if none with it was unanswered. */
  probed(number: number, now: number): boolean {
    const delivery = this.#probes.acknowledge(number, now);
    if (delivery !== null) this.#congestion.delivered(delivery, now);
    return delivery !== null;
  }

  /**
   * Whether the viewer answers what was sent long after pings that it does not answer. A path that is slow, a page that
   * stands still or a client that sleeps delays all answers alike.
   */
  get ignoresProbes(): boolean {
    return this.#probes.size >= SILENT_PROBES && this.#answeredFrom - this.#probes.oldestAt > PROBE_SILENCE_MS;
  }

  /** A round trip was measured independently of frames. */
  measured(rttMs: number, now: number): void {
    this.#answeredFrom = Math.max(this.#answeredFrom, now - rttMs);
    this.#congestion.measured(rttMs, now);
  }

  /**
   * The viewer has displayed a frame; false if it is not in flight. Such are ignored: they precede a resync.
   */
  acknowledge(id: number, now: number): boolean {
    const delivery = this.#frames.acknowledge(id, now);
    if (delivery === null) return false;
    this.#answeredFrom = Math.max(this.#answeredFrom, delivery.sentAt);
    this.#leastMs = Math.min(this.#leastMs, delivery.rttMs);
    this.#dropper.acknowledged();
    return true;
  }

  wantsKey(socketBytes: number, now: number): boolean {
    return this.#dropper.wantsKey(this.#backlog(socketBytes, now), now);
  }

  asked(now: number): void {
    this.#dropper.asked(now);
  }

  /** The viewer or the encoder restarts: frames in flight are no longer tracked. */
  reset(): void {
    this.#frames.clear();
    this.#dropper.close();
    this.#sentLayer = this.#layer;
  }

  #backlog(socketBytes: number, now: number): Backlog {
    const baseMs = Math.min(this.#leastMs, this.#congestion.leastMs + PRESENTATION_MS);
    return {
      ageMs: this.#frames.age(now),
      baseMs: baseMs === Infinity ? 0 : baseMs,
      quietMs: now - this.#frames.movedAt,
      frames: this.#frames.size,
      isPathBusy: this.#probes.size > 0,
      socketBytes,
    };
  }
}

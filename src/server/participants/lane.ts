import { Flight } from './flight.js';
import { Gate, type Backlog } from './gate.js';
import { RateControl, type PathRate } from './rate.js';

/** A video message as it goes to viewers. */
export interface VideoFrame {
  id: number;
  key: boolean;
  bytes: Buffer;
}

/** One viewer's way for video: what is under way, whether more may be sent, and how much the path carries. */
export class VideoLane {
  readonly #flight = new Flight();
  readonly #gate = new Gate();
  readonly #rate = new RateControl();

  /** What the viewer's path carries. */
  rate(now: number): PathRate {
    return { kbps: this.#rate.kbps, isStalled: !this.isOpen || this.#rate.isStalled(now) };
  }

  get isOpen(): boolean {
    return this.#gate.state === 'open';
  }

  /** Whether to send the frame; then it counts as sent. `socketBytes` wait in the viewer's socket. */
  offer(frame: VideoFrame, socketBytes: number, now: number): boolean {
    const backlog = this.#backlog(socketBytes, now);
    const wasOpen = this.isOpen;
    if (!this.#gate.offer(frame.key, backlog, now)) return false;
    if (!wasOpen) this.#flight.clear();
    this.#rate.sent(frame.bytes.length, backlog.ageMs, now);
    this.#flight.sent(frame.id, frame.bytes.length, now);
    return true;
  }

  /** The viewer has shown a frame. Frames that are not under way are ignored: they were before a resync. */
  acknowledge(id: number, now: number): void {
    const delivery = this.#flight.acknowledge(id, now);
    if (delivery === null) return;
    this.#gate.acknowledged();
    this.#rate.acknowledged(delivery, now);
  }

  /** A ping was answered after `rttMs`. */
  pinged(rttMs: number, now: number): void {
    this.#rate.pinged(rttMs, now);
  }

  wantsKey(socketBytes: number, now: number): boolean {
    return this.#gate.wantsKey(this.#backlog(socketBytes, now), now);
  }

  asked(now: number): void {
    this.#gate.asked(now);
  }

  /** The viewer or the encoder starts afresh: what was under way is not awaited any more. */
  reset(): void {
    this.#flight.clear();
    this.#gate.close();
  }

  #backlog(socketBytes: number, now: number): Backlog {
    return {
      ageMs: this.#flight.age(now),
      baseMs: this.#rate.baseMs,
      quietMs: now - this.#flight.movedAt,
      frames: this.#flight.size,
      socketBytes,
    };
  }
}

/** What an acknowledgement of a frame tells. */
export interface Delivery {
  /** From handing the frame to the socket to its acknowledgement, ms. */
  rttMs: number;
  /** When the frame was handed to the socket, ms. */
  sentAt: number;
  /** Rate at which the path delivered while the frame was under way; below the path's own where it idled. */
  kbps: number;
}

interface Sent {
  id: number;
  bytes: number;
  at: number;
  deliveredBefore: number;
  deliveredAt: number;
}

/**
 * The frames that one viewer was sent and has not acknowledged, oldest first. Times are milliseconds of any
 * monotonic clock.
 */
export class Flight {
  #frames: Sent[] = [];
  #delivered = 0;
  #deliveredAt = 0;
  #movedAt = -Infinity;

  get size(): number {
    return this.#frames.length;
  }

  /** When a frame was last sent or acknowledged. */
  get movedAt(): number {
    return this.#movedAt;
  }

  /** Age of the oldest frame under way, 0 when there is none. */
  age(now: number): number {
    const oldest = this.#frames[0];
    return oldest === undefined ? 0 : now - oldest.at;
  }

  sent(id: number, bytes: number, now: number): void {
    if (this.#frames.length === 0) this.#deliveredAt = now;
    this.#frames.push({ id, bytes, at: now, deliveredBefore: this.#delivered, deliveredAt: this.#deliveredAt });
    this.#movedAt = now;
  }

  /** Takes a frame and all before it as shown; null when that frame is not under way. */
  acknowledge(id: number, now: number): Delivery | null {
    const index = this.#frames.findIndex(frame => frame.id === id);
    const frame = this.#frames[index];
    if (frame === undefined) return null;
    for (let i = 0; i <= index; i++) this.#delivered += this.#frames[i]?.bytes ?? 0;
    this.#frames.splice(0, index + 1);
    this.#deliveredAt = now;
    this.#movedAt = now;
    const elapsed = Math.max(1, now - frame.deliveredAt);
    return { rttMs: now - frame.at, sentAt: frame.at, kbps: ((this.#delivered - frame.deliveredBefore) * 8) / elapsed };
  }

  /** Forgets what is under way. */
  clear(): void {
    this.#frames = [];
  }
}

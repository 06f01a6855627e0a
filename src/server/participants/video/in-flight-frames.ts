/** What an acknowledgement tells. */
export interface Delivery {
  /** From handing it to the socket to its acknowledgement, ms. */
  rttMs: number;
  /** When it was handed to the socket, ms. */
  sentAt: number;
  /** Rate at which the path delivered while it was under way; below the path's own where it idled. */
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
 * What one viewer was sent and has not acknowledged, frames or pings, oldest first. Times are milliseconds of any
 * monotonic clock.
 */
export class InFlightFrames {
  #items: Sent[] = [];
  #delivered = 0;
  #deliveredAt = 0;
  #movedAt = -Infinity;

  get size(): number {
    return this.#items.length;
  }

  /** When something was last sent or acknowledged. */
  get movedAt(): number {
    return this.#movedAt;
  }

  /** Age of the oldest under way, 0 when there is none. */
  age(now: number): number {
    const oldest = this.#items[0];
    return oldest === undefined ? 0 : now - oldest.at;
  }

  sent(id: number, bytes: number, now: number): void {
    if (this.#items.length === 0) this.#deliveredAt = now;
    this.#items.push({ id, bytes, at: now, deliveredBefore: this.#delivered, deliveredAt: this.#deliveredAt });
    this.#movedAt = now;
  }

  /** Takes one and all before it as arrived; null when it is not under way. */
  acknowledge(id: number, now: number): Delivery | null {
    const index = this.#items.findIndex(item => item.id === id);
    const frame = this.#items[index];
    if (frame === undefined) return null;
    for (let i = 0; i <= index; i++) this.#delivered += this.#items[i]?.bytes ?? 0;
    this.#items.splice(0, index + 1);
    this.#deliveredAt = now;
    this.#movedAt = now;
    const elapsed = Math.max(1, now - frame.deliveredAt);
    return { rttMs: now - frame.at, sentAt: frame.at, kbps: ((this.#delivered - frame.deliveredBefore) * 8) / elapsed };
  }

  /** Forgets what is under way. */
  clear(): void {
    this.#items = [];
  }
}

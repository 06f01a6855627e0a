/** The measurements of an acknowledgement. */
export interface Delivery {
  /** From writing to the socket to the acknowledgement, ms. */
  rttMs: number;
  /** When it was written to the socket, ms. */
  sentAt: number;
  /** Delivery rate of the path while it was in flight; lower than the path's capacity if the path idled. */
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
 * Frames or pings sent to one viewer and not acknowledged, oldest first. Times are milliseconds of any monotonic clock.
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

  /** Age of the oldest in flight, 0 if there is none. */
  age(now: number): number {
    const oldest = this.#items[0];
    return oldest === undefined ? 0 : now - oldest.at;
  }

  sent(id: number, bytes: number, now: number): void {
    if (this.#items.length === 0) this.#deliveredAt = now;
    this.#items.push({ id, bytes, at: now, deliveredBefore: this.#delivered, deliveredAt: this.#deliveredAt });
    this.#movedAt = now;
  }

  /** Marks this one and all before it as arrived; null if it is not in flight. */
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

  /** Forgets everything in flight. */
  clear(): void {
    this.#items = [];
  }
}

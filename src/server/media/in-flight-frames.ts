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
  bytes: number;
  at: number;
  deliveredBefore: number;
  deliveredAt: number;
}

/**
 * Frames or pings sent to one viewer and not acknowledged, oldest first. Times are milliseconds of any monotonic clock.
 * Whoever sends them bounds their number.
 */
export class InFlightFrames {
  readonly #items = new Map<number, Sent>();
  #delivered = 0;
  #deliveredAt = 0;
  #movedAt = -Infinity;

  get size(): number {
    return this.#items.size;
  }

  /** When something was last sent or acknowledged. */
  get movedAt(): number {
    return this.#movedAt;
  }

  /** When the oldest in flight was sent; Infinity: there is none. */
  get oldestAt(): number {
    for (const { at } of this.#items.values()) return at;
    return Infinity;
  }

  /** Age of the oldest in flight, 0 if there is none. */
  age(now: number): number {
    return Math.max(0, now - this.oldestAt);
  }

  sent(id: number, bytes: number, now: number): void {
    if (this.#items.size === 0) this.#deliveredAt = now;
    // Agents choose the numbers of frames: one that comes again is in flight since now.
    this.#items.delete(id);
    this.#items.set(id, { bytes, at: now, deliveredBefore: this.#delivered, deliveredAt: this.#deliveredAt });
    this.#movedAt = now;
  }

  /** Marks this one and all before it as arrived; null if it is not in flight. */
  acknowledge(id: number, now: number): Delivery | null {
    const found = this.#items.get(id);
    if (found === undefined) return null;
    for (const [earlier, { bytes }] of this.#items) {
      this.#delivered += bytes;
      this.#items.delete(earlier);
      if (earlier === id) break;
    }
    this.#deliveredAt = now;
    this.#movedAt = now;
    const elapsed = Math.max(1, now - found.deliveredAt);
    return { rttMs: now - found.at, sentAt: found.at, kbps: ((this.#delivered - found.deliveredBefore) * 8) / elapsed };
  }

  /** Forgets everything in flight. */
  clear(): void {
    this.#items.clear();
  }
}

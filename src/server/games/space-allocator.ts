/** Limits on concurrent writes: total bytes and number of writers. */
export interface SpaceLimits {
  bytes: number;
  places: number;
}

/** Allocates disk space among writers. Those that do not find enough wait, in order. */
export class SpaceAllocator {
  readonly #size: SpaceLimits;
  readonly #waiting = new Set<{ bytes: number; enter: () => void }>();
  #taken = 0;
  #places = 0;

  constructor(size: SpaceLimits) {
    this.#size = size;
  }

  /** Bytes allocated. */
  get taken(): number {
    return this.#taken;
  }

  /**
   * Reserves this many bytes, at most the total.
   * @returns releases them; repeated calls change nothing
   * @throws the signal's reason if it aborts before there is room
   */
  async allocate(bytes: number, signal: AbortSignal): Promise<() => void> {
    signal.throwIfAborted();
    if (this.#waiting.size > 0 || !this.#fits(bytes)) await this.#wait(bytes, signal);
    else this.#enter(bytes);
    let isGiven = false;
    return () => {
      if (isGiven) return;
      isGiven = true;
      this.#taken -= bytes;
      this.#places--;
      this.#admit();
    };
  }

  #fits(bytes: number): boolean {
    return this.#places < this.#size.places && this.#taken + bytes <= this.#size.bytes;
  }

  #enter(bytes: number): void {
    this.#taken += bytes;
    this.#places++;
  }

  #wait(bytes: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const leave = () => {
        this.#waiting.delete(waiting);
        reject(signal.reason as Error);
        // Those further back in the queue may need less.
        this.#admit();
      };
      const enter = () => {
        signal.removeEventListener('abort', leave);
        resolve();
      };
      const waiting = { bytes, enter };
      this.#waiting.add(waiting);
      signal.addEventListener('abort', leave, { once: true });
    });
  }

  #admit(): void {
    for (const waiting of this.#waiting) {
      if (!this.#fits(waiting.bytes)) return;
      this.#waiting.delete(waiting);
      this.#enter(waiting.bytes);
      waiting.enter();
    }
  }
}

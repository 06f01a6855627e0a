import { safely } from '../lib/safely.js';
import type { BerthOptions } from '../sdk/options.js';

/**
 * Hands frames on as bitmaps, the newest where they come faster than they can be made. A bitmap stays open until the
 * page has the next one, since pages upload it to a texture when they draw next.
 */
export class Bitmaps {
  readonly #callback: (bitmap: ImageBitmap) => void;
  #given: ImageBitmap | null = null;
  /** The frame that waits until the one before is made. */
  #next: Promise<ImageBitmap> | null = null;
  #state: 'idle' | 'giving' | 'stopped' = 'idle';

  constructor(callback: (bitmap: ImageBitmap) => void) {
    this.#callback = callback;
  }

  readonly frame: NonNullable<BerthOptions['frameCb']> = frame => {
    if (this.#state === 'stopped') return;
    // Frames are closed when this returns, and are read before that.
    const made = createImageBitmap(frame);
    closed(this.#next);
    this.#next = made;
    if (this.#state === 'idle') void this.#give();
  };

  stop(): void {
    this.#state = 'stopped';
    this.#given?.close();
    this.#given = null;
    closed(this.#next);
    this.#next = null;
  }

  async #give(): Promise<void> {
    this.#state = 'giving';
    for (let next = this.#take(); next !== null; next = this.#take()) {
      const bitmap = await next.catch(() => null);
      if (bitmap === null) continue;
      if (this.#isStopped()) return bitmap.close();
      safely(() => this.#callback(bitmap));
      this.#given?.close();
      this.#given = bitmap;
    }
    this.#state = 'idle';
  }

  #take(): Promise<ImageBitmap> | null {
    const next = this.#next;
    this.#next = null;
    return next;
  }

  #isStopped(): boolean {
    return this.#state === 'stopped';
  }
}

/** Closes a bitmap that nobody wants. */
function closed(bitmap: Promise<ImageBitmap> | null): void {
  bitmap?.then(
    made => made.close(),
    () => undefined,
  );
}

import type { SessionEvent } from '../../../protocol/generated/schemas.js';
import type { Fields } from '../../lib/log.js';
import { bounded } from './bounded.js';

/** Maximum queue size, in characters of JSON. */
const WAITING_MAX = 8 << 20;

/** Milliseconds between batches, and events per batch: below the link's rate limit in the service. */
const INTERVAL = 100;
const BATCH = 6;

/** Burst of events after a quiet period. */
const BURST = 100;

/** The same in characters of JSON. */
const BATCH_SIZE = 64 << 10;
const BURST_SIZE = 2 << 20;

interface Waiting {
  readonly event: SessionEvent;
  readonly size: number;
}

/**
 * Forwards events in order, at a rate that leaves the link to audio and video: the events of a page that causes tens of
 * thousands are delayed, and those beyond the bound are dropped.
 */
export class TabEvents {
  readonly #tell: (event: SessionEvent) => void;
  readonly #leftOut: (fields: Fields) => void;
  readonly #waiting: Waiting[] = [];
  #size = 0;
  #credit = BURST;
  #sizeCredit = BURST_SIZE;
  #timer: NodeJS.Timeout | undefined;

  constructor(tell: (event: SessionEvent) => void, leftOut: (fields: Fields) => void) {
    this.#tell = tell;
    this.#leftOut = leftOut;
  }

  offer(name: string, args: readonly unknown[]): void {
    const event: SessionEvent = { type: 'event', name, args: args.map(bounded) };
    const size = JSON.stringify(event).length;
    if (this.#size + size > WAITING_MAX) return this.#leftOut({ name, size });
    this.#waiting.push({ event, size });
    this.#size += size;
    this.#send();
    this.#timer ??= setInterval(() => this.#tick(), INTERVAL);
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#waiting.length = 0;
    this.#size = 0;
  }

  #tick(): void {
    this.#credit = Math.min(BURST, this.#credit + BATCH);
    this.#sizeCredit = Math.min(BURST_SIZE, this.#sizeCredit + BATCH_SIZE);
    this.#send();
    if (this.#waiting.length === 0 && this.#credit === BURST && this.#sizeCredit === BURST_SIZE) this.stop();
  }

  #send(): void {
    let count = 0;
    for (const { event, size } of this.#waiting) {
      if (this.#credit <= 0 || this.#sizeCredit <= 0) break;
      count++;
      this.#credit--;
      this.#sizeCredit -= size;
      this.#size -= size;
      this.#tell(event);
    }
    this.#waiting.splice(0, count);
  }
}

import type { SessionEvent } from '../../../protocol/generated/schemas.js';
import type { Fields } from '../../log.js';
import { bounded } from './bounded.js';

/** What may wait, in characters of JSON. */
const WAITING_MAX = 8 << 20;

/** Milliseconds between batches, and events in one: below the rate at which the service slows a link down. */
const INTERVAL = 100;
const BATCH = 6;

/** Events sent at once after a quiet time. */
const BURST = 100;

/** The same in characters of JSON. */
const BATCH_SIZE = 64 << 10;
const BURST_SIZE = 2 << 20;

interface Waiting {
  readonly event: SessionEvent;
  readonly size: number;
}

/**
 * Passes events on in their order, at a pace that leaves the link to sound and picture: a page that makes tens of
 * thousands has its own come late, and those beyond the bound are left out.
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

import { clock } from './clock.js';

/** Does something once a day, at a local time of day, until stopped. */
export class Daily {
  readonly #hour: number;
  readonly #minute: number;
  readonly #work: () => Promise<void>;
  #timer: NodeJS.Timeout | undefined;
  #isStopped = false;

  /** `work` never rejects; the next day's time is computed when it is done. */
  constructor(hour: number, minute: number, work: () => Promise<void>) {
    this.#hour = hour;
    this.#minute = minute;
    this.#work = work;
  }

  start(): void {
    if (this.#isStopped) return;
    this.#timer = setTimeout(() => void this.#work().then(() => this.start()), this.#wait());
  }

  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#timer);
  }

  /** Milliseconds, from a second to 25 hours where the local time changes: a timer may be slightly early. */
  #wait(): number {
    const now = clock.now();
    const next = new Date(now);
    next.setHours(this.#hour, this.#minute, 0, 0);
    if (next.getTime() < now + 1000) next.setDate(next.getDate() + 1);
    return next.getTime() - now;
  }
}

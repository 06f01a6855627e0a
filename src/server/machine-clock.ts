import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { clock } from './lib/clock.js';
import type { Store } from './store/index.js';

/** In the data folder. */
const FILE = 'clock.json';

const CHECK_INTERVAL_MS = 60_000;

/** Smallest difference that matters, ms. */
const TOLERANCE_MS = 1000;

/** State of the service that ran before. */
interface Left {
  /** Identifies the machine's boot. */
  boot: string;
  /** The time at that boot by the service's clock, UTC milliseconds. */
  bootedAt: number;
}

/** Sets the service's clock by the machine's, as long as nothing counts by it; otherwise it goes on as it is. */
export class MachineClock {
  readonly #file: string;
  readonly #store: Pick<Store, 'newestTime'>;
  readonly #log: Logger;
  #toldMs = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(dataDir: string, store: Pick<Store, 'newestTime'>, log: Logger) {
    this.#file = join(dataDir, FILE);
    this.#store = store;
    this.#log = log;
  }

  /**
   * While sessions or webhooks are under way, the clock of the service that ran before on this machine goes on; if that
   * was before its last boot, or elsewhere, the machine's clock counts, but is never before what the store has.
   */
  async resume(): Promise<void> {
    const [newest, boot] = [await this.#store.newestTime(), await bootId()];
    if (newest !== null) {
      const left = await this.#left();
      const isSameBoot = left !== null && left.boot === boot;
      clock.set(Math.max(isSameBoot ? left.bootedAt + uptimeMs() : Date.now(), newest));
    }
    await this.#keep(boot);
  }

  /** Checks it regularly until stopped. */
  start(): void {
    const check = () =>
      void this.check().catch((error: unknown) => this.#log.warn({ err: error }, "machine's clock not compared"));
    check();
    this.#timer = setInterval(check, CHECK_INTERVAL_MS).unref();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  /** Takes over the machine's time if it differs and nothing is under way; otherwise says once that it differs. */
  async check(): Promise<void> {
    if (Math.abs(differenceMs()) < TOLERANCE_MS) return;
    if ((await this.#store.newestTime()) === null) {
      this.#log.info({ ahead_ms: differenceMs() }, "time taken over from the machine's clock");
      clock.set(Date.now());
      this.#toldMs = 0;
      return this.#keep(await bootId());
    }
    const difference = differenceMs();
    if (Math.abs(difference - this.#toldMs) < TOLERANCE_MS) return;
    this.#toldMs = difference;
    this.#log.warn({ ahead_ms: difference }, "the machine's clock was set: its time is taken over without sessions");
  }

  async #left(): Promise<Left | null> {
    try {
      const { boot, bootedAt } = JSON.parse(await readFile(this.#file, 'utf8')) as Left;
      return Number.isSafeInteger(bootedAt) ? { boot, bootedAt } : null;
    } catch {
      return null;
    }
  }

  async #keep(boot: string | null): Promise<void> {
    if (boot === null) return;
    const left: Left = { boot, bootedAt: clock.now() - uptimeMs() };
    await writeFile(this.#file, JSON.stringify(left)).catch((error: unknown) =>
      this.#log.warn({ err: error }, 'time not kept for the next start'),
    );
  }
}

/** By how much the machine's clock is ahead. */
const differenceMs = (): number => Date.now() - clock.now();

/** Milliseconds since the boot by the monotonic clock, which all processes share. */
const uptimeMs = (): number => Number(process.hrtime.bigint() / 1_000_000n);

const bootId = (): Promise<string | null> =>
  readFile('/proc/sys/kernel/random/boot_id', 'utf8').then(
    id => id.trim(),
    () => null,
  );

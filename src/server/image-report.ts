import cron, { type ScheduledTask } from 'node-cron';
import type { Logger } from 'pino';
import type { Fleet, ImageInfo } from './engines/index.js';

const DAY_MS = 86_400_000;

/** How long an engine's answer is cached. */
const CACHE_MS = 60_000;

/** Once a day, at a quiet time. */
const DAILY = '30 5 * * *';

/** An image, and the engine that has it. */
export interface EngineImage extends ImageInfo {
  engine: string;
}

/** Reports the age of session images: operators must rebuild them regularly. */
export class ImageReport {
  readonly #fleet: Fleet;
  readonly #maxAgeDays: number;
  readonly #log: Logger;
  #read: { at: number; images: Promise<EngineImage[]> } | undefined;
  #task: ScheduledTask | undefined;

  constructor(fleet: Fleet, maxAgeDays: number, log: Logger) {
    this.#fleet = fleet;
    this.#maxAgeDays = maxAgeDays;
    this.#log = log;
  }

  /** Logs a line about each image, now and daily. */
  start(): void {
    this.#task = cron.schedule(DAILY, () => this.#tell());
    void this.#tell();
  }

  async stop(): Promise<void> {
    await this.#task?.destroy();
  }

  /** The images of all engines that answer. */
  images(): Promise<EngineImage[]> {
    const now = Date.now();
    if (this.#read === undefined || now - this.#read.at > CACHE_MS) this.#read = { at: now, images: this.#ask() };
    return this.#read.images;
  }

  async #ask(): Promise<EngineImage[]> {
    const asked = this.#fleet.members.map(async ({ engine, name }) =>
      (await engine.images().catch(() => [])).map(image => ({ ...image, engine: name })),
    );
    return (await Promise.all(asked)).flat();
  }

  async #tell(): Promise<void> {
    for (const { packagesAt, ...image } of await this.images()) {
      const days = packagesAt === null ? null : Math.floor((Date.now() - packagesAt) / DAY_MS);
      const line = { ...image, packages_days: days };
      if (days !== null && days < this.#maxAgeDays) this.#log.info(line, 'image');
      else this.#log.warn(line, 'image has old packages; rebuild it with make images');
    }
  }
}

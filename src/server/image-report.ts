import cron, { type ScheduledTask } from 'node-cron';
import type { Logger } from 'pino';
import type { Fleet, ImageInfo } from './engines/index.js';

const DAY_MS = 86_400_000;

/** How long an answer of the engines is good for. */
const CACHE_MS = 60_000;

/** Once a day, when little else happens. */
const DAILY = '30 5 * * *';

/** An image, and the engine that has it. */
export interface EngineImage extends ImageInfo {
  engine: string;
}

/** Tells how old the images of sessions are: whoever runs the service must build them anew now and then. */
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

  /** Writes a line about each image to the log, now and daily. */
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
      else this.#log.warn(line, 'image with old packages: build it anew with make images');
    }
  }
}

import type { Logger } from 'pino';
import type { Fleet, ImageInfo } from './engines/index.js';
import { clock } from './lib/clock.js';
import { Daily } from './lib/daily.js';

const DAY_MS = 86_400_000;

/** How long an engine's answer is cached. */
const CACHE_MS = 60_000;

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
  /** At a quiet time. */
  readonly #daily = new Daily(5, 30, () => this.#tell());

  constructor(fleet: Fleet, maxAgeDays: number, log: Logger) {
    this.#fleet = fleet;
    this.#maxAgeDays = maxAgeDays;
    this.#log = log;
  }

  /** Logs a line about each image, now and daily. */
  start(): void {
    this.#daily.start();
    void this.#tell();
  }

  stop(): void {
    this.#daily.stop();
  }

  /** The images of all engines that answer. */
  images(): Promise<EngineImage[]> {
    const now = clock.now();
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
      const days = packagesAt === null ? null : Math.floor((clock.now() - packagesAt) / DAY_MS);
      const line = { ...image, packages_days: days };
      if (days !== null && days < this.#maxAgeDays) this.#log.info(line, 'image');
      else this.#log.warn(line, 'image has old packages; rebuild it with make images');
    }
  }
}

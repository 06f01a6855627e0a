import type { Logger } from 'pino';

/** How long an answer is good for others who ask, milliseconds. */
const GOOD_FOR_MS = 1000;

/** Rejects where a part of the service does not work. */
export type Check = () => Promise<unknown>;

/** Asks the parts of the service whether they work, however many ask it, once a second. */
export class Readiness {
  readonly #checks: ReadonlyMap<string, Check>;
  readonly #log: Logger;
  readonly #failing = new Map<string, string>();
  #asked: Promise<readonly string[]> | undefined;
  #until = 0;

  /** `checks`: by name of the part, which whoever asks is told. */
  constructor(checks: ReadonlyMap<string, Check>, log: Logger) {
    this.#checks = checks;
    this.#log = log;
  }

  /** Names of the parts that do not work; why stands in the log alone. */
  failing(): Promise<readonly string[]> {
    if (this.#asked === undefined || performance.now() >= this.#until) {
      // While parts are being asked, nobody else asks them.
      this.#until = Infinity;
      this.#asked = this.#ask().finally(() => (this.#until = performance.now() + GOOD_FOR_MS));
    }
    return this.#asked;
  }

  async #ask(): Promise<readonly string[]> {
    await Promise.all([...this.#checks].map(([part, check]) => this.#look(part, check)));
    return [...this.#checks.keys()].filter(part => this.#failing.has(part));
  }

  async #look(part: string, check: Check): Promise<void> {
    const reason = await check().then(
      () => null,
      (error: unknown) => (error instanceof Error ? error.message : String(error)),
    );
    const before = this.#failing.get(part) ?? null;
    if (reason === before) return;
    if (reason === null) {
      this.#failing.delete(part);
      this.#log.info({ part }, 'ready again');
    } else {
      this.#failing.set(part, reason);
      this.#log.warn({ part, reason }, 'not ready');
    }
  }
}

import type { Logger } from 'pino';

/** How long a result is cached, milliseconds. */
const GOOD_FOR_MS = 1000;

/** Rejects if a part of the service does not work. */
export type Check = () => Promise<unknown>;

/** Checks the parts of the service, at most once per second however many requests there are. */
export class Readiness {
  readonly #checks: ReadonlyMap<string, Check>;
  readonly #log: Logger;
  readonly #failing = new Map<string, string>();
  #asked: Promise<readonly string[]> | undefined;
  #until = 0;

  /** `checks`: by name of the part, which callers are told. */
  constructor(checks: ReadonlyMap<string, Check>, log: Logger) {
    this.#checks = checks;
    this.#log = log;
  }

  /** Names of the parts that do not work; the reasons are only in the log. */
  failing(): Promise<readonly string[]> {
    if (this.#asked === undefined || performance.now() >= this.#until) {
      // Concurrent requests share one check.
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

import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';

/** How long a result is cached, milliseconds. */
const GOOD_FOR_MS = 1000;

/** Rejects if a part of the service does not work. */
export type Check = () => Promise<unknown>;

/** A part of the service. */
export interface Part {
  readonly check: Check;
  /** Whether it is enough for the service to be ready that it has worked once: what runs goes on without it. */
  readonly once: boolean;
}

/** How long metrics wait for a check, milliseconds: a part that hangs must not hide all others. */
const PATIENCE_MS = 1000;

/** Checks the parts of the service, at most once per second however many requests there are. */
export class Readiness {
  readonly #parts: ReadonlyMap<string, Part>;
  readonly #log: Logger;
  readonly #failing = new Map<string, string>();
  readonly #worked = new Set<string>();
  #asked: Promise<readonly string[]> | undefined;
  #until = 0;

  /** `parts`: by name, which callers are told. */
  constructor(parts: ReadonlyMap<string, Part>, log: Logger) {
    this.#parts = parts;
    this.#log = log;
  }

  /** Whether the service is ready, and the names of the parts that do not work; the reasons are only in the log. */
  async state(): Promise<{ isReady: boolean; failing: readonly string[] }> {
    const failing = await this.#look();
    const isReady = failing.every(part => this.#parts.get(part)?.once === true && this.#worked.has(part));
    return { isReady, failing };
  }

  /** Whether each part works, as far as it is known soon. */
  async working(): Promise<ReadonlyMap<string, boolean>> {
    const patience = new AbortController();
    await Promise.race([this.#look(), sleep(PATIENCE_MS, undefined, { signal: patience.signal }).catch(() => {})]);
    patience.abort();
    const known = [...this.#parts.keys()].filter(part => this.#failing.has(part) || this.#worked.has(part));
    return new Map(known.map(part => [part, !this.#failing.has(part)]));
  }

  /** Looks at all parts; concurrent callers share one look. */
  #look(): Promise<readonly string[]> {
    if (this.#asked === undefined || performance.now() >= this.#until) {
      this.#until = Infinity;
      this.#asked = this.#ask().finally(() => (this.#until = performance.now() + GOOD_FOR_MS));
    }
    return this.#asked;
  }

  async #ask(): Promise<readonly string[]> {
    await Promise.all([...this.#parts].map(([part, { check }]) => this.#try(part, check)));
    return [...this.#parts.keys()].filter(part => this.#failing.has(part));
  }

  async #try(part: string, check: Check): Promise<void> {
    const reason = await check().then(
      () => null,
      (error: unknown) => (error instanceof Error ? error.message : String(error)),
    );
    const before = this.#failing.get(part) ?? null;
    if (reason === null) this.#worked.add(part);
    if (reason === before) return;
    if (reason === null) {
      this.#failing.delete(part);
      this.#log.info({ part }, 'works again');
    } else {
      this.#failing.set(part, reason);
      this.#log.warn({ part, reason }, 'does not work');
    }
  }
}

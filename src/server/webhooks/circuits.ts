/** Attempts at one origin at a time. */
const ATTEMPTS_MAX = 2;

/** Number of failures in a row that suspends an origin. */
const FAILURES_MAX = 3;

const PAUSE_FIRST_MS = 5000;
const PAUSE_MAX_MS = 60_000;

interface Circuit {
  /** Attempts in progress. */
  attempts: number;
  /** Failures since the last success. */
  failures: number;
  /** No attempt before this time. */
  pausedUntil: number;
}

/**
 * The state of the origins to which requests are sent: two attempts at a time, a single one after a failure, and
 * after three failures in a row one after each of ever longer pauses. Times in ms of a monotonic clock.
 */
export class Circuits {
  readonly #circuits = new Map<string, Circuit>();

  /** Whether another attempt may begin. */
  admits(origin: string, now: number): boolean {
    const circuit = this.#circuits.get(origin);
    if (circuit === undefined) return true;
    return circuit.attempts < (circuit.failures === 0 ? ATTEMPTS_MAX : 1) && now >= circuit.pausedUntil;
  }

  /** Whether the last attempt failed. */
  isFailing(origin: string): boolean {
    return (this.#circuits.get(origin)?.failures ?? 0) > 0;
  }

  /** Attempts in progress. */
  attemptsAt(origin: string): number {
    return this.#circuits.get(origin)?.attempts ?? 0;
  }

  /** How much longer the origin is suspended, ms; null while an attempt must end first. */
  pause(origin: string, now: number): number | null {
    const circuit = this.#circuits.get(origin);
    if (circuit === undefined || this.admits(origin, now)) return 0;
    return circuit.attempts > 0 ? null : circuit.pausedUntil - now;
  }

  begin(origin: string): void {
    const circuit = this.#circuits.get(origin) ?? { attempts: 0, failures: 0, pausedUntil: -Infinity };
    circuit.attempts++;
    this.#circuits.set(origin, circuit);
  }

  /** An attempt succeeded, failed, or was given up. @returns whether this suspends the origin */
  end(origin: string, outcome: 'success' | 'failure' | 'none', now: number): boolean {
    const circuit = this.#circuits.get(origin);
    if (circuit === undefined) return false;
    circuit.attempts--;
    if (outcome === 'success') Object.assign(circuit, { failures: 0, pausedUntil: -Infinity });
    if (outcome !== 'failure') return false;
    circuit.failures++;
    if (circuit.failures < FAILURES_MAX) return false;
    circuit.pausedUntil = now + Math.min(PAUSE_MAX_MS, PAUSE_FIRST_MS * 2 ** (circuit.failures - FAILURES_MAX));
    return true;
  }

  /** Forgets all origins but these, except where an attempt is in progress. */
  forgetExcept(origins: ReadonlySet<string>): void {
    for (const [origin, { attempts }] of this.#circuits)
      if (attempts === 0 && !origins.has(origin)) this.#circuits.delete(origin);
  }
}

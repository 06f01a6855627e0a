import type { Logger } from 'pino';
import type { FirstDue, OutboxItem, OutboxStore } from '../store/index.js';
import { Circuits } from './circuits.js';
import type { WebhookSender } from './send.js';
import { clock } from '../lib/clock.js';
import { withDeadline } from '../lib/deadline.js';

/** How long a receiver may take to answer, ms. */
const TRY_TIMEOUT_MS = 10_000;

/** The first and the longest pause between two attempts at an event, ms. */
const FIRST_MS = 1000;
const MAX_MS = 15 * 60_000;

/** Events not accepted within this time are given up, ms. */
const GIVE_UP_AFTER_MS = 24 * 60 * 60_000;

/**
 * Maximum number of concurrent attempts: at events that were not tried yet, and at others. Receivers that do not answer
 * soon have only events of the second sort.
 */
const ATTEMPTS_MAX = { first: 32, further: 32 };

/** An attempt claimed by a process that died becomes due again after this time. */
const CLAIM_MS = TRY_TIMEOUT_MS + 5000;

/** Maximum polling interval: other replicas write to the store too. */
const LOOK_INTERVAL_MS = 15_000;
const LOOK_INTERVAL_MIN_MS = 20;

interface Attempt {
  readonly item: OutboxItem;
  readonly origin: string;
  readonly sort: keyof typeof ATTEMPTS_MAX;
  readonly cancelling: AbortController;
  done: Promise<void>;
}

/**
 * Delivers the items in the store's outbox, at least once, until they are accepted or a day has passed. Origins take
 * turns; one that fails is suspended, and delays no other.
 */
export class Outbox {
  readonly #store: OutboxStore;
  readonly #sender: WebhookSender;
  readonly #log: Logger;
  readonly #stopped = new AbortController();
  readonly #circuits = new Circuits();
  readonly #attempts = new Set<Attempt>();
  #timer: NodeJS.Timeout | undefined;
  #look: 'idle' | 'looking' | 'again' = 'idle';
  #looking: Promise<void> = Promise.resolve();

  constructor(store: OutboxStore, sender: WebhookSender, log: Logger) {
    this.#store = store;
    this.#sender = sender;
    this.#log = log;
  }

  /** Polls the store now, since an item was added. */
  wake(): void {
    if (this.#stopped.signal.aborted) return;
    if (this.#look !== 'idle') {
      this.#look = 'again';
      return;
    }
    this.#look = 'looking';
    this.#looking = this.#run();
  }

  /** A session has ended, and the store has dropped its warnings: attempts at them in progress are aborted. */
  ended(sessionId: string): void {
    for (const { item, cancelling } of this.#attempts)
      if (item.sessionId === sessionId && item.event === 'warning') cancelling.abort();
    this.wake();
  }

  /** Aborts attempts in progress; they are repeated after the next start. */
  async stop(): Promise<void> {
    this.#stopped.abort();
    clearTimeout(this.#timer);
    await this.#looking;
    await Promise.allSettled([...this.#attempts].map(({ done }) => done));
  }

  async #run(): Promise<void> {
    clearTimeout(this.#timer);
    let wait = LOOK_INTERVAL_MS;
    try {
      let firsts = await this.#firsts();
      // Each turn begins at most one attempt at each origin.
      while (await this.#begin(firsts)) firsts = await this.#firsts();
      wait = this.#untilNext(firsts);
    } catch (error) {
      this.#log.error({ err: error }, 'webhooks not queried');
    }
    const again = this.#look === 'again';
    this.#look = 'idle';
    if (again) this.wake();
    else if (!this.#stopped.signal.aborted) this.#timer = setTimeout(() => this.wake(), wait);
  }

  async #firsts(): Promise<FirstDue[]> {
    const firsts = await this.#store.firsts();
    this.#circuits.forgetExcept(new Set(firsts.map(({ origin }) => origin)));
    return firsts;
  }

  /** How long nothing can be done unless an attempt ends, ms. */
  #untilNext(firsts: readonly FirstDue[]): number {
    const [now, time] = [performance.now(), clock.now()];
    const waits = firsts.flatMap(first => {
      const pause = this.#circuits.pause(first.origin, now);
      return pause === null || this.#free(this.#sortOf(first)) <= 0 ? [] : [Math.max(pause, first.nextAt - time)];
    });
    return Math.max(LOOK_INTERVAL_MIN_MS, Math.min(LOOK_INTERVAL_MS, ...waits));
  }

  /** Begins attempts: at origins without one first, then at what is due longest. @returns whether there was any */
  async #begin(firsts: readonly FirstDue[]): Promise<boolean> {
    const now = clock.now();
    const free = { first: this.#free('first'), further: this.#free('further') };
    const chosen = firsts
      .filter(({ origin, nextAt }) => nextAt <= now && this.#circuits.admits(origin, performance.now()))
      .sort((a, b) => this.#circuits.attemptsAt(a.origin) - this.#circuits.attemptsAt(b.origin) || a.nextAt - b.nextAt)
      .filter(first => free[this.#sortOf(first)]-- > 0);
    if (chosen.length === 0 || this.#stopped.signal.aborted) return false;
    const items = await this.#store.due(
      chosen.map(({ id }) => id),
      now,
    );
    let begun = false;
    for (const first of chosen) {
      const item = items.find(({ id }) => id === first.id);
      if (item === undefined || !(await this.#store.claim(item, clock.now() + CLAIM_MS))) continue;
      begun = true;
      this.#try({ ...item, attempts: item.attempts + 1 }, first);
    }
    return begun;
  }

  #sortOf({ origin, attempts }: FirstDue): Attempt['sort'] {
    return attempts === 0 && !this.#circuits.isFailing(origin) ? 'first' : 'further';
  }

  #free(sort: Attempt['sort']): number {
    return ATTEMPTS_MAX[sort] - [...this.#attempts].filter(attempt => attempt.sort === sort).length;
  }

  #try(item: OutboxItem, first: FirstDue): void {
    const { origin } = first;
    const attempt: Attempt = {
      item,
      origin,
      sort: this.#sortOf(first),
      cancelling: new AbortController(),
      done: Promise.resolve(),
    };
    this.#circuits.begin(origin);
    this.#attempts.add(attempt);
    attempt.done = this.#deliver(attempt)
      // It is due again when its claim ends.
      .catch((error: unknown) =>
        this.#log.error({ session: item.sessionId, webhook: item.id, err: error }, 'webhook state not written'),
      )
      .finally(() => {
        this.#attempts.delete(attempt);
        this.wake();
      });
  }

  async #deliver({ item, origin, cancelling }: Attempt): Promise<void> {
    const signal = AbortSignal.any([this.#stopped.signal, cancelling.signal]);
    try {
      await deliver(item, this.#sender, signal);
    } catch (error) {
      const outcome = signal.aborted ? 'none' : 'failure';
      const isSuspended = this.#circuits.end(origin, outcome, performance.now());
      if (!cancelling.signal.aborted) await this.#repeat(item, error, isSuspended ? origin : null);
      return;
    }
    this.#circuits.end(origin, 'success', performance.now());
    await this.#store.remove(item);
    this.#log.info({ session: item.sessionId, webhook: item.id, attempt: item.attempts }, 'webhook delivered');
  }

  /** `suspended`: the origin if it is suspended now; its items that are too old are then given up. */
  async #repeat(item: OutboxItem, error: unknown, suspended: string | null): Promise<void> {
    const now = clock.now();
    const about = {
      session: item.sessionId,
      webhook: item.id,
      attempt: item.attempts,
      reason: (error as Error).message,
    };
    if (this.#stopped.signal.aborted) return this.#store.postpone(item.id, now);
    if (now - item.createdAt > GIVE_UP_AFTER_MS) {
      this.#log.error(about, 'webhook given up');
      await this.#store.remove(item);
    } else {
      const wait = backoff(item.attempts, Math.random());
      this.#log.warn({ ...about, wait_ms: wait }, 'webhook not delivered');
      await this.#store.postpone(item.id, now + wait);
    }
    // Rows of older versions have no origin.
    if (suspended === null || suspended === '') return;
    for (const { id, sessionId } of await this.#store.removeOlder(suspended, now - GIVE_UP_AFTER_MS))
      this.#log.error({ session: sessionId, webhook: id, reason: about.reason }, 'webhook given up');
  }
}

/**
 * The delay after attempt number `attempt`, from 1, in milliseconds: doubles from a second up to a quarter of an hour,
 * minus a random share of up to a half so that receivers are not hit all at once. `random` is from 0 to 1.
 */
export function backoff(attempt: number, random: number): number {
  const full = Math.min(MAX_MS, FIRST_MS * 2 ** Math.min(attempt - 1, 30));
  return Math.round(full * (1 - random / 2));
}

/** Sends an item once. @throws if the answer is not a 2xx; redirects are not followed */
async function deliver(item: OutboxItem, sender: WebhookSender, stopped: AbortSignal): Promise<void> {
  const { id, url, bearer, secret, body } = item;
  const answer = await sender.send({
    url,
    bearer,
    secret,
    id,
    body,
    headers: { 'idempotency-key': id },
    signal: withDeadline(TRY_TIMEOUT_MS, stopped),
  });
  answer.destroy();
  const { statusCode = 0 } = answer;
  if (statusCode < 200 || statusCode > 299) throw new Error(`the receiver answered ${statusCode}`);
}

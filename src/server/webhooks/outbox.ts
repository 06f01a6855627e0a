import type { Logger } from 'pino';
import type { OutboxItem, OutboxStore } from '../store/index.js';
import { backoff, GIVE_UP_AFTER_MS } from './backoff.js';
import { deliver, TRY_TIMEOUT_MS } from './deliver.js';
import type { WebhookSender } from './send.js';
import { clock } from '../lib/clock.js';

/** Maximum number of concurrent attempts. */
const CONCURRENCY = 16;

/** An attempt claimed by a process that died becomes due again after this time. */
const CLAIM_MS = TRY_TIMEOUT_MS + 5000;

/** Maximum polling interval: other replicas write to the store too. */
const LOOK_INTERVAL_MS = 15_000;

/** Delivers the items in the store's outbox, at least once, until they are accepted or a day has passed. */
export class Outbox {
  readonly #store: OutboxStore;
  readonly #sender: WebhookSender;
  readonly #log: Logger;
  readonly #stopped = new AbortController();
  readonly #tries = new Set<Promise<void>>();
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

  /** Aborts attempts in progress; they are repeated after the next start. */
  async stop(): Promise<void> {
    this.#stopped.abort();
    clearTimeout(this.#timer);
    await this.#looking;
    await Promise.allSettled(this.#tries);
  }

  async #run(): Promise<void> {
    clearTimeout(this.#timer);
    let wait = LOOK_INTERVAL_MS;
    try {
      await this.#begin();
      const next = await this.#store.nextAt();
      if (next !== null)
        wait = Math.min(wait, Math.max(this.#tries.size >= CONCURRENCY ? 1000 : 20, next - clock.now()));
    } catch (error) {
      this.#log.error({ err: error }, 'webhooks not queried');
    }
    const again = this.#look === 'again';
    this.#look = 'idle';
    if (again) this.wake();
    else if (!this.#stopped.signal.aborted) this.#timer = setTimeout(() => this.wake(), wait);
  }

  async #begin(): Promise<void> {
    const free = CONCURRENCY - this.#tries.size;
    const due = free > 0 ? await this.#store.due(clock.now(), free) : [];
    for (const item of due) {
      if (!(await this.#store.claim(item, clock.now() + CLAIM_MS))) continue;
      const attempt = this.#try({ ...item, attempts: item.attempts + 1 }).finally(() => this.#tries.delete(attempt));
      this.#tries.add(attempt);
    }
  }

  async #try(item: OutboxItem): Promise<void> {
    const about = { session: item.sessionId, webhook: item.id, attempt: item.attempts };
    try {
      await deliver(item, this.#sender, this.#stopped.signal);
      await this.#store.remove(item.id);
      this.#log.info(about, 'webhook delivered');
    } catch (error) {
      await this.#repeat(item, error).catch((cause: unknown) =>
        this.#log.error({ ...about, err: cause }, 'webhook state not written'),
      );
    }
    this.wake();
  }

  async #repeat(item: OutboxItem, error: unknown): Promise<void> {
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
      return this.#store.remove(item.id);
    }
    const wait = backoff(item.attempts, Math.random());
    this.#log.warn({ ...about, wait_ms: wait }, 'webhook not delivered');
    return this.#store.postpone(item.id, now + wait);
  }
}

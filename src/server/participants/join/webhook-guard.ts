import type { WebhookSender } from '../../webhooks/index.js';
import { Slots } from '../../lib/semaphore.js';
import type { WebhookPolicy } from '../../model/index.js';
import type { Viewer } from '../viewer/viewer.js';
import { askWebhook, type Verdict } from './webhook-check.js';

/** Questions to one session's webhook at the same time. */
const MAX_QUESTIONS = 32;

/** Asks a session's webhook about those who want to take part. */
export class WebhookGuard {
  readonly #policy: WebhookPolicy;
  readonly #sender: WebhookSender;
  readonly #headerPrefix: string;
  readonly #slots = new Slots(MAX_QUESTIONS);
  readonly #asking = new Map<Viewer, AbortController>();

  constructor(policy: WebhookPolicy, sender: WebhookSender, headerPrefix: string) {
    this.#policy = policy;
    this.#sender = sender;
    this.#headerPrefix = headerPrefix;
  }

  /** Null where the viewer is forgotten before there is an answer. */
  async ask(viewer: Viewer, userdata: { [field: string]: unknown }): Promise<Verdict | null> {
    const controller = new AbortController();
    this.#asking.set(viewer, controller);
    const { signal } = controller;
    const question = { user_id: viewer.userId, userdata };
    try {
      return await this.#slots.run(
        () => askWebhook(this.#sender, this.#policy, question, viewer.about, this.#headerPrefix, signal),
        signal,
      );
    } catch (error) {
      if (signal.aborted) return null;
      throw error;
    } finally {
      this.#asking.delete(viewer);
    }
  }

  /** Cancels the question about a viewer that has left. */
  forget(viewer: Viewer): void {
    this.#asking.get(viewer)?.abort();
  }
}

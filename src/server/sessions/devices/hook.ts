import { randomUUID } from 'node:crypto';
import { withDeadline } from '../../lib/deadline.js';
import type { WebhookSender } from '../../webhooks/index.js';

export interface ResetHookOptions {
  url: string;
  /** Milliseconds that the operator's reset may take. */
  timeoutMs: number;
}

/** Calls the operator's own reset of a device: a snapshot, a new container, a factory reset. */
export class ResetHook {
  readonly #options: ResetHookOptions;
  readonly #sender: WebhookSender;

  constructor(options: ResetHookOptions, sender: WebhookSender) {
    this.#options = options;
    this.#sender = sender;
  }

  /** Resolves when the device was reset. @throws if the answer is not a 2xx in time */
  async run(device: string, signal: AbortSignal): Promise<void> {
    const { url, timeoutMs } = this.#options;
    const answer = await this.#sender.send({
      url,
      bearer: null,
      secret: null,
      id: randomUUID(),
      body: JSON.stringify({ event: 'android_device.reset', device }),
      headers: {},
      signal: withDeadline(timeoutMs, signal),
    });
    answer.destroy();
    const { statusCode = 0 } = answer;
    if (statusCode < 200 || statusCode > 299) throw new Error(`the reset hook answered ${statusCode}`);
  }
}

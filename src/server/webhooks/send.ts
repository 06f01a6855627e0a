import { createHmac } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Outbound, Reason } from '../outbound/index.js';
import { webhookKey } from '../../protocol/webhook-secret.js';

/** A request to an integrator's backend. */
export interface WebhookCall {
  url: string;
  bearer: string | null;
  /** Signs it; null: the service's own secrets do. */
  secret: string | null;
  /** The same for each repetition, without a full stop. */
  id: string;
  /** JSON. */
  body: string;
  headers: Readonly<Record<string, string>>;
  signal: AbortSignal;
}

/** Sends signed webhooks. Redirects are not followed, and connections are not reused. */
export class WebhookSender {
  readonly #outbound: Outbound;
  readonly #allowPrivate: boolean;
  readonly #secrets: readonly string[];

  /** `secrets` sign requests that have no secret of their own. */
  constructor(outbound: Outbound, allowPrivate: boolean, secrets: readonly string[]) {
    this.#outbound = outbound;
    this.#allowPrivate = allowPrivate;
    this.#secrets = secrets;
  }

  /** Why an address would be refused; null if that cannot be known before trying. */
  refusal(url: string): Promise<Reason | null> {
    return this.#outbound.refusal(url, this.#allowPrivate);
  }

  /**
   * Sends a webhook and resolves with the response; its body must be read or destroyed.
   * @throws AddressRefused, what the network reports, or the signal's reason
   */
  send({ url, bearer, secret, id, body, headers, signal }: WebhookCall): Promise<IncomingMessage> {
    return this.#outbound.request(new URL(url), {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...headers,
        ...signature(id, body, secret ? [secret] : this.#secrets, Date.now()),
        ...(bearer === null ? {} : { authorization: `Bearer ${bearer}` }),
      },
      body,
      allowPrivate: this.#allowPrivate,
      signal,
    });
  }
}

/**
 * The Standard Webhooks headers by which a receiver verifies the origin and time of a body. `id` is the same for each
 * repetition and contains no full stop; each of `secrets` signs; `now` is UTC milliseconds.
 */
function signature(id: string, body: string, secrets: readonly string[], now: number): Record<string, string> {
  const timestamp = String(Math.floor(now / 1000));
  const signatures = secrets.map(secret => {
    const key = webhookKey(secret);
    if (key === null) throw new Error('The webhook secret is invalid.');
    return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`;
  });
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') };
}

import { withDeadline } from '../lib/deadline.js';
import type { OutboxItem } from '../store/index.js';
import type { WebhookSender } from './send.js';

/** How long a receiver may take to answer. */
export const TRY_TIMEOUT_MS = 10_000;

/** Sends an item once. @throws if the answer is not a 2xx; redirects are not followed */
export async function deliver(item: OutboxItem, sender: WebhookSender, stopped: AbortSignal): Promise<void> {
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

import { withDeadline } from '../deadline.js';
import type { OutboxItem } from '../store/outbox.js';

/** How long a receiver may take to answer. */
export const TRY_TIMEOUT_MS = 10_000;

/** Sends an item once. @throws where the answer is not a 2xx; redirects are not followed */
export async function deliver(item: OutboxItem, stopped: AbortSignal): Promise<void> {
  const response = await fetch(item.url, {
    method: 'POST',
    redirect: 'manual',
    signal: withDeadline(TRY_TIMEOUT_MS, stopped),
    headers: {
      'content-type': 'application/json',
      'user-agent': 'Berth',
      'idempotency-key': item.id,
      ...(item.bearer === null ? {} : { authorization: `Bearer ${item.bearer}` }),
    },
    body: item.body,
  });
  await response.body?.cancel();
  if (!response.ok) throw new Error(`the receiver answered ${response.status}`);
}

import type { StartAndroid, StartChromium, StartConsole } from '../../../../protocol/generated/schemas.js';
import { reasonText } from '../../../outbound/index.js';
import type { WebhookSender } from '../../../webhooks/index.js';
import { HttpError } from '../../../model/index.js';

/**
 * Refuses webhooks to forbidden addresses. Host names are checked when they are connected to.
 * @throws HttpError naming the fields
 */
export async function checkWebhooks(
  { auth, timeout }: Pick<StartAndroid | StartChromium | StartConsole, 'auth' | 'timeout'>,
  webhooks: WebhookSender,
): Promise<void> {
  const given = [
    { path: '/auth/value/url', url: auth?.value?.url },
    { path: '/timeout/webhook/url', url: timeout?.webhook?.url },
  ];
  const checked = await Promise.all(
    given.map(async ({ path, url }) => ({ path, reason: url === undefined ? null : await webhooks.refusal(url) })),
  );
  const details = checked.flatMap(({ path, reason }) =>
    reason === null ? [] : [{ path, message: `The address of the webhook ${reasonText(reason)}.` }],
  );
  if (details.length > 0) throw new HttpError('webhook_refused', { details });
}

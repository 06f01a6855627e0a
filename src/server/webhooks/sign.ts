import { createHmac } from 'node:crypto';
import { webhookKey } from '../../protocol/webhook-secret.js';

/**
 * The Standard Webhooks headers by which a receiver verifies the origin and time of a body. `id` is the same for each
 * repetition and contains no full stop; each of `secrets` signs; `now` is UTC milliseconds.
 */
export function signature(id: string, body: string, secrets: readonly string[], now: number): Record<string, string> {
  const timestamp = String(Math.floor(now / 1000));
  const signatures = secrets.map(secret => {
    const key = webhookKey(secret);
    if (key === null) throw new Error('The webhook secret is invalid.');
    return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`;
  });
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') };
}

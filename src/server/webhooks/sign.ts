import { createHmac } from 'node:crypto';

const PREFIX = 'whsec_';

/**
 * The headers of Standard Webhooks by which a receiver knows that a body came from here, and when. `id` is the same
 * for each repetition and holds no full stop; `secrets` are as receivers have them, `whsec_` and a key in base64, each
 * of which signs; `now` is UTC milliseconds.
 */
export function signature(id: string, body: string, secrets: readonly string[], now: number): Record<string, string> {
  const timestamp = String(Math.floor(now / 1000));
  const signatures = secrets.map(secret => {
    const key = Buffer.from(secret.slice(PREFIX.length), 'base64');
    return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`;
  });
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') };
}

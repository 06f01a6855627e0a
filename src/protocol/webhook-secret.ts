import { randomBytes } from 'node:crypto';

const PREFIX = 'whsec_';
const MIN_BYTES = 24;
const MAX_BYTES = 64;

/** What a secret that signs webhooks must be, after "must be". */
export const WEBHOOK_SECRET = `${PREFIX} and ${MIN_BYTES} to ${MAX_BYTES} bytes in base64`;

/** The key of a secret as Standard Webhooks writes it; null where it is none. */
export function webhookKey(secret: string): Buffer | null {
  const encoded = secret.slice(PREFIX.length);
  const key = Buffer.from(encoded, 'base64');
  const fits = key.length >= MIN_BYTES && key.length <= MAX_BYTES && key.toString('base64') === encoded;
  return secret.startsWith(PREFIX) && fits ? key : null;
}

/** A new secret. */
export function newWebhookSecret(): string {
  return PREFIX + randomBytes(32).toString('base64');
}

import { randomBytes } from 'node:crypto';

const PREFIX = 'whsec_';
const MIN_BYTES = 24;
const MAX_BYTES = 64;

/** The format of a webhook secret, to follow "must be". */
export const WEBHOOK_SECRET = `${PREFIX} and ${MIN_BYTES} to ${MAX_BYTES} bytes in base64`;

/** The key in a secret in the format of Standard Webhooks; null if it is invalid. */
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

import type { ReadableStream } from 'node:stream/web';
import type { ParticipantCheckAnswer, ParticipantCheckRequest } from '../../protocol/generated/schemas.js';
import { validator } from '../../protocol/validation.js';
import { withDeadline } from '../deadline.js';
import type { Origin, WebhookPolicy } from './types.js';

/** How long a webhook may take for its answer, ms. */
export const CHECK_TIMEOUT_MS = 5000;

const ANSWER_MAX_BYTES = 64 << 10;

/** Whether a user may take part, and what it may do then. `reason` is for the log and holds nothing secret. */
export type Verdict =
  | { authorized: true; answer: Omit<ParticipantCheckAnswer, 'authorized'> }
  | { authorized: false; reason: string };

const isAnswer = validator<ParticipantCheckAnswer>('participant-check.json#/$defs/answer');
const denied = (reason: string): Verdict => ({ authorized: false, reason });

/**
 * Asks an integrator's webhook about a user, once. Whatever goes wrong denies; rejects only where `signal` aborts.
 * `headerPrefix` begins the names of the headers that tell where the user comes from.
 */
export async function askWebhook(
  { url, bearer }: WebhookPolicy,
  question: ParticipantCheckRequest,
  from: Origin,
  headerPrefix: string,
  signal: AbortSignal,
): Promise<Verdict> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      redirect: 'manual',
      signal: withDeadline(CHECK_TIMEOUT_MS, signal),
      headers: {
        'content-type': 'application/json',
        'user-agent': 'Berth',
        // A question cannot be asked twice: none may be lost with a connection that the webhook is about to close.
        connection: 'close',
        [`${headerPrefix}-User-Agent`]: from.user_agent,
        [`${headerPrefix}-Connection-IP`]: from.ip,
        [`${headerPrefix}-Connecting-IP`]: from.ip,
        ...(bearer === null ? {} : { authorization: `Bearer ${bearer}` }),
      },
      body: JSON.stringify(question),
    });
    if (response.status !== 200) {
      await response.body?.cancel();
      return denied(`the webhook answered ${response.status}`);
    }
    return judge(await readText(response));
  } catch (error) {
    signal.throwIfAborted();
    return denied(describe(error));
  }
}

function judge(text: string | null): Verdict {
  if (text === null) return denied('the answer is longer than 64 KiB');
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    return denied('the answer is not JSON');
  }
  const result = isAnswer(body);
  if (!result.ok) return denied(`the answer denies: ${result.problems.map(({ path, message }) => `${path} ${message}`).join(', ')}`);
  const { permissions, roles } = result.value;
  return {
    authorized: true,
    answer: { ...(permissions === undefined ? {} : { permissions }), ...(roles === undefined ? {} : { roles }) },
  };
}

/** The body; null where it is too long. */
async function readText(response: Response): Promise<string | null> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  if (response.body === null) return '';
  // Leaving the loop cancels the rest.
  for await (const chunk of response.body as ReadableStream<Uint8Array>) {
    bytes += chunk.length;
    if (bytes > ANSWER_MAX_BYTES) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

/** Without the address, which may hold a secret. */
function describe(error: unknown): string {
  const { name, cause } = error as { name?: string; cause?: { code?: unknown } };
  if (name === 'TimeoutError') return `the webhook did not answer within ${CHECK_TIMEOUT_MS / 1000} s`;
  return `the webhook could not be asked (${String(cause?.code ?? name)})`;
}

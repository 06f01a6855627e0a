import { Semaphore } from '../../lib/semaphore.js';
import type { Viewer, ViewerOrigin } from '../viewer/viewer.js';
import type { IncomingMessage } from 'node:http';
import { addAbortSignal } from 'node:stream';
import type { Join, ParticipantCheckRequest } from '../../../protocol/generated/schemas.js';
import { withDeadline } from '../../lib/deadline.js';
import { AddressRefused, reasonText } from '../../outbound/index.js';
import type { WebhookSender } from '../../webhooks/index.js';
import type { WebhookPolicy } from '../../model/index.js';
import { denied, judge, type Verdict } from './webhook-answer.js';

/** How long a webhook may take to answer, ms. */
export const CHECK_TIMEOUT_MS = 5000;

const ANSWER_MAX_BYTES = 64 << 10;

/**
 * Asks an integrator's webhook about a user, once. Any failure denies access; rejects only if the given signal aborts.
 * `headerPrefix` is the prefix of the headers that tell where the user comes from.
 */
async function askWebhook(
  sender: WebhookSender,
  { url, bearer, secret }: WebhookPolicy,
  question: ParticipantCheckRequest,
  from: Pick<ViewerOrigin, 'ip' | 'user_agent'>,
  headerPrefix: string,
  given: AbortSignal,
): Promise<Verdict> {
  const signal = withDeadline(CHECK_TIMEOUT_MS, given);
  try {
    const answer = await sender.send({
      url,
      bearer,
      secret,
      id: question.user_id,
      body: JSON.stringify(question),
      headers: {
        [`${headerPrefix}-User-Agent`]: from.user_agent,
        [`${headerPrefix}-Connection-IP`]: from.ip,
        [`${headerPrefix}-Connecting-IP`]: from.ip,
      },
      signal,
    });
    addAbortSignal(signal, answer);
    if (answer.statusCode !== 200) {
      answer.destroy();
      return denied(`the webhook answered ${answer.statusCode ?? 0}`);
    }
    const text = await readText(answer);
    return text === null ? denied('the answer is longer than 64 KiB') : judge(text);
  } catch (error) {
    given.throwIfAborted();
    return denied(describe(signal.aborted ? signal.reason : error));
  }
}

/** The body; null if it is too long. */
async function readText(answer: IncomingMessage): Promise<string | null> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  // Leaving the loop destroys the stream.
  for await (const chunk of answer as AsyncIterable<Uint8Array>) {
    bytes += chunk.length;
    if (bytes > ANSWER_MAX_BYTES) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

/** Without the address, which may contain a secret. */
function describe(error: unknown): string {
  if (error instanceof AddressRefused) return `the webhook's address ${reasonText(error.reason)}`;
  const { name, code } = error as { name?: string; code?: string };
  if (name === 'TimeoutError') return `the webhook did not answer within ${CHECK_TIMEOUT_MS / 1000} s`;
  return `the webhook could not be asked (${code ?? name})`;
}

/** Concurrent requests to one session's webhook. */
const MAX_QUESTIONS = 32;

/** Asks a session's webhook about users who want to join. */
export class WebhookGuard {
  readonly #policy: WebhookPolicy;
  readonly #sender: WebhookSender;
  readonly #headerPrefix: string;
  readonly #slots = new Semaphore(MAX_QUESTIONS);
  readonly #asking = new Map<Viewer, AbortController>();

  constructor(policy: WebhookPolicy, sender: WebhookSender, headerPrefix: string) {
    this.#policy = policy;
    this.#sender = sender;
    this.#headerPrefix = headerPrefix;
  }

  /** Null if the viewer has left before there is an answer. */
  async ask(viewer: Viewer, { userdata = {} }: Pick<Join, 'userdata'>): Promise<Verdict | null> {
    const controller = new AbortController();
    this.#asking.set(viewer, controller);
    const { signal } = controller;
    const question = { user_id: viewer.userId, userdata };
    try {
      return await this.#slots.run(
        () => askWebhook(this.#sender, this.#policy, question, viewer.about, this.#headerPrefix, signal),
        signal,
      );
    } catch (error) {
      if (signal.aborted) return null;
      throw error;
    } finally {
      this.#asking.delete(viewer);
    }
  }

  /** Cancels the request about a viewer that has left. */
  forget(viewer: Viewer): void {
    this.#asking.get(viewer)?.abort();
  }
}

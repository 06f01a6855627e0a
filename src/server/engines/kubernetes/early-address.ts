import { get, type IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Hello } from '../../../protocol/generated/schemas.js';
import { HELLO_PATH, newNonce, NONCE_HEADER } from '../../../protocol/link-proof.js';
import { validator } from '../../../protocol/validation.js';
import { withDeadline } from '../../lib/deadline.js';
import type { Forwards } from './forwards.js';

/** So many Pods are asked at a time: each question is a connection through the API server. */
const AT_ONCE = 4;

/** For how long a Pod is asked; one that takes longer still pulls its image. Milliseconds. */
const TRIED_MS = 3000;
/** Before the first question: no container starts sooner, and each question takes processor time of its node. */
const START_MS = 200;
const PAUSE_MS = 75;
const ANSWER_MS = 1000;
const ANSWER_MAX_BYTES = 4096;

const isHello = validator<Hello>('link.json#/$defs/hello', { allErrors: false });

/**
 * Addresses of Pods sooner than their nodes tell them. A node looks once a second what its containers do, so that a Pod
 * has run for half a second to a second and a half before the API server knows its address; its agent knows it at once.
 */
export class EarlyAddresses {
  readonly #forwards: Pick<Forwards, 'port' | 'close'>;
  #asking = 0;

  constructor(forwards: Pick<Forwards, 'port' | 'close'>) {
    this.#forwards = forwards;
  }

  /**
   * Asks the agent of a Pod that has just got a node for its address, until it answers. Null: it did not in time, cannot
   * say, too many are being asked, or `given` has aborted.
   */
  async of(pod: string, given: AbortSignal): Promise<string | null> {
    if (this.#asking >= AT_ONCE) return null;
    this.#asking++;
    const signal = withDeadline(TRIED_MS, given);
    try {
      const port = await this.#forwards.port(pod);
      await sleep(START_MS, undefined, { signal });
      for (;;) {
        const answer = await ask(port, signal).catch(() => null);
        if (answer !== null) return addressOf(answer);
        await sleep(PAUSE_MS, undefined, { signal });
      }
    } catch {
      return null;
    } finally {
      this.#asking--;
      this.#forwards.close(pod);
    }
  }
}

const addressOf = ({ address = '' }: Hello): string | null => (isIP(address) === 0 ? null : address);

/** Rejects where nothing answers, or what answers is no agent. */
async function ask(port: number, given: AbortSignal): Promise<Hello> {
  const signal = withDeadline(ANSWER_MS, given);
  const options = { host: '127.0.0.1', port, path: HELLO_PATH, headers: { [NONCE_HEADER]: newNonce() }, signal };
  const body = await new Promise<string>((resolve, reject) => {
    get({ ...options, agent: false }, answer => void read(answer).then(resolve, reject)).on('error', reject);
  });
  const hello = isHello(JSON.parse(body));
  if (!hello.ok) throw new Error('What answers is no agent.');
  return hello.value;
}

async function read(answer: IncomingMessage): Promise<string> {
  let body = '';
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    body += chunk.toString('latin1');
    if (body.length > ANSWER_MAX_BYTES) throw new Error('What answers is no agent.');
  }
  return body;
}

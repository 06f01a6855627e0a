import type { IncomingMessage } from 'node:http';
import { AddressRefused, reasonText, type Outbound, type Reason } from '../outbound/index.js';
import { RomError } from './problem.js';

export interface RomRequestOptions {
  outbound: Outbound;
  allowPrivate: boolean;
  headers: Record<string, string>;
  what: Wanted;
  /** Silence after which the server counts as gone, ms. */
  silenceMs: number;
  signal: AbortSignal;
}

/** The kind of file that is fetched, as error messages call it. */
export type Wanted = 'game' | 'app';

const DOWN = { isServerDown: true };

const MAX_REDIRECTS = 5;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);

/**
 * Requests a file and resolves with the response, redirects followed; its body must be read or destroyed.
 * @throws RomError if the address is one that must not be fetched from, or the server does not answer
 */
export async function romRequest(
  url: string,
  options: RomRequestOptions,
): Promise<{ answer: IncomingMessage; url: URL }> {
  let address = new URL(url);
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
    const answer = await ask(address, options);
    const { location } = answer.headers;
    if (!REDIRECTS.has(answer.statusCode ?? 0) || location === undefined) return { answer, url: address };
    answer.destroy();
    address = redirected(location, address, options.what);
  }
  throw new RomError(`The address of the ${options.what} redirects too often.`);
}

function redirected(location: string, from: URL, what: Wanted): URL {
  const to = URL.canParse(location, from.href) ? new URL(location, from) : null;
  if (to === null || !['http:', 'https:'].includes(to.protocol)) {
    throw new RomError(`The address of the ${what} redirects to one that is neither http nor https.`);
  }
  return to;
}

/** Why an address must not be fetched from, in words for the person who gave it. */
export const romRefusal = (reason: Reason, what: Wanted = 'game'): string =>
  `The address of the ${what} ${reasonText(reason)}.`;

async function ask(
  url: URL,
  { outbound, allowPrivate, headers, what, silenceMs, signal }: RomRequestOptions,
): Promise<IncomingMessage> {
  try {
    return await outbound.request(url, {
      method: 'GET',
      headers: { 'accept-encoding': 'identity', ...headers },
      allowPrivate,
      silenceMs,
      signal,
    });
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    if (error instanceof AddressRefused) throw new RomError(romRefusal(error.reason, what));
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ETIMEDOUT') throw new RomError(`The ${what}'s server does not answer.`, DOWN);
    throw new RomError(`The ${what}'s server cannot be reached (${code ?? message}).`, DOWN);
  }
}

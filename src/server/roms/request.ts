import { lookup as resolve, type LookupAddress } from 'node:dns';
import { request as httpRequest, type IncomingMessage, type RequestOptions } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { isIP } from 'node:net';
import { isPrivate } from './private-address.js';
import { RomError } from './problem.js';

export interface RomRequestOptions {
  allowPrivate: boolean;
  headers: Record<string, string>;
  signal: AbortSignal;
}

const MAX_REDIRECTS = 5;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);

/** Silence after which a server counts as gone, ms. */
const SILENCE_MS = 30_000;

/**
 * Asks for a file and resolves with the answer's head, redirects followed; its body must be read or destroyed.
 * @throws RomError where the address leads to a private network or the server does not answer
 */
export async function romRequest(url: string, options: RomRequestOptions): Promise<{ answer: IncomingMessage; url: URL }> {
  let address = new URL(url);
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
    const answer = await ask(address, options);
    const { location } = answer.headers;
    if (!REDIRECTS.has(answer.statusCode ?? 0) || location === undefined) return { answer, url: address };
    answer.destroy();
    address = redirected(location, address);
  }
  throw new RomError('The address of the game leads from one address to the next without an end.');
}

function redirected(location: string, from: URL): URL {
  const to = URL.canParse(location, from) ? new URL(location, from) : null;
  if (to === null || !['http:', 'https:'].includes(to.protocol)) {
    throw new RomError('The address of the game leads to one that is neither http nor https.');
  }
  return to;
}

const PRIVATE = 'The address of the game is in a private network.';

/** Why an address is not even tried; null where it is. Names are looked up when they are connected to. */
export function refusal(url: string, allowPrivate: boolean): string | null {
  const host = hostOf(new URL(url));
  return !allowPrivate && isIP(host) !== 0 && isPrivate(host) ? PRIVATE : null;
}

const hostOf = (url: URL) => url.hostname.replace(/^\[|\]$/g, '');

/** The address is checked when it is connected to: what a name means may change from one moment to the next. */
function ask(url: URL, { allowPrivate, headers, signal }: RomRequestOptions): Promise<IncomingMessage> {
  const reason = refusal(url.href, allowPrivate);
  if (reason !== null) throw new RomError(reason);
  const options: RequestOptions = {
    signal,
    timeout: SILENCE_MS,
    headers: { 'user-agent': 'Berth', 'accept-encoding': 'identity', ...headers },
    ...(allowPrivate ? {} : { lookup: publicLookup }),
  };
  return new Promise((fulfil, reject) => {
    const outgoing = (url.protocol === 'https:' ? httpsRequest : httpRequest)(url, options);
    outgoing.on('timeout', () => outgoing.destroy(new RomError("The game's server does not answer.")));
    outgoing.once('response', fulfil);
    outgoing.once('error', (error: NodeJS.ErrnoException) => {
      if (signal.aborted || error instanceof RomError) reject(signal.aborted ? signal.reason : error);
      else reject(new RomError(`The game's server cannot be reached (${error.code ?? error.message}).`));
    });
    outgoing.end();
  });
}

/** Looks a name up as Node does, and refuses it where any of its addresses is private. */
const publicLookup: NonNullable<RequestOptions['lookup']> = (host, options, callback) => {
  resolve(host, { ...options, all: true }, (error, addresses) => {
    const found = addresses as unknown as LookupAddress[];
    if (error) return callback(error, [], 0);
    if (found.some(({ address }) => isPrivate(address))) return callback(new RomError(PRIVATE), [], 0);
    if (options.all) return callback(null, found);
    const [first] = found;
    callback(null, first?.address ?? '', first?.family ?? 0);
  });
};

import { lookup } from 'node:dns/promises';
import { request as httpRequest, type IncomingMessage, type RequestOptions } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { isIP } from 'node:net';
import { networkInterfaces } from 'node:os';
import { unlessAborted } from '../lib/deadline.js';
import type { Engine } from '../engines/index.js';
import { isLoopback, isPrivate, isSpecial, isWithin, plainAddress } from './addresses.js';
import { AddressRefused, type Reason } from './refused.js';
import { Territories, type Resolve } from './territory.js';

export interface OutboundOptions {
  engines: readonly Pick<Engine, 'territory'>[];
  /** The port on which the service itself listens. */
  port: number;
  /** Resolves names; the system's resolver by default. */
  resolve?: Resolve;
}

export interface OutboundRequest {
  method: 'GET' | 'POST';
  headers: Readonly<Record<string, string>>;
  body?: string;
  /** Whether requests may go to private networks and this machine. */
  allowPrivate: boolean;
  /** Silence after which the server counts as gone, ms; none: only `signal` limits it. */
  silenceMs?: number;
  signal: AbortSignal;
}

const systemResolve: Resolve = name => lookup(name, { all: true, verbatim: true });

/**
 * Sends requests to user-supplied addresses. None reaches engines, sessions' containers, the service itself, cloud
 * metadata services or other special addresses, whatever a name resolves to at that moment.
 */
export class Outbound {
  readonly #port: number;
  readonly #resolve: Resolve;
  readonly #territories: Territories;

  constructor({ engines, port, resolve = systemResolve }: OutboundOptions) {
    this.#port = port;
    this.#resolve = resolve;
    this.#territories = new Territories(engines, resolve);
  }

  /** Why an address is refused without trying; null if it is not. Names are resolved when connecting. */
  async refusal(url: string, allowPrivate: boolean): Promise<Reason | null> {
    const { host, port } = targetOf(new URL(url));
    return isIP(host) === 0 ? null : this.#judge(host, port, allowPrivate);
  }

  /**
   * Sends a request and resolves with the response; its body must be read or destroyed. Redirects are not followed.
   * @throws AddressRefused, what the network reports, or the signal's reason
   */
  async request(url: URL, options: OutboundRequest): Promise<IncomingMessage> {
    const { host, port } = targetOf(url);
    const { method, headers, body, allowPrivate, silenceMs, signal } = options;
    // An IP address as host is not looked up.
    const reason = await unlessAborted(this.refusal(url.href, allowPrivate), signal);
    if (reason !== null) throw new AddressRefused(reason);
    return new Promise((fulfil, reject) => {
      const outgoing = (url.protocol === 'https:' ? httpsRequest : httpRequest)(url, {
        method,
        headers: {
          'user-agent': 'Berth',
          ...headers,
          ...(body === undefined ? {} : { 'content-length': Buffer.byteLength(body) }),
        },
        // Connections are never reused across requests.
        agent: false,
        signal,
        ...(silenceMs === undefined ? {} : { timeout: silenceMs }),
        lookup: this.#lookup(host, port, allowPrivate),
      });
      outgoing.on('timeout', () => outgoing.destroy(Object.assign(new Error('silent'), { code: 'ETIMEDOUT' })));
      outgoing.once('response', fulfil);
      outgoing.on('error', (error: Error) => reject(signal.aborted ? (signal.reason as Error) : error));
      // As bytes: Node would otherwise encode the headers like a text body, but headers are Latin-1.
      outgoing.end(body === undefined ? undefined : Buffer.from(body));
    });
  }

  /**
   * Resolves the name once, and connects only to addresses that were checked. One forbidden address refuses the name.
   */
  #lookup(host: string, port: number, allowPrivate: boolean): NonNullable<RequestOptions['lookup']> {
    return (_host, options, callback) => {
      const judged = async () => {
        const found = await this.#resolve(host);
        for (const { address } of found) {
          const reason = await this.#judge(address, port, allowPrivate);
          if (reason !== null) throw new AddressRefused(reason);
        }
        return found.map(({ address }) => ({ address, family: isIP(address) }));
      };
      judged().then(
        found => {
          const [first = { address: '', family: 0 }] = found;
          if (options.all) callback(null, found);
          else callback(null, first.address, first.family);
        },
        (error: Error) => callback(error, '', 0),
      );
    };
  }

  async #judge(given: string, port: number, allowPrivate: boolean): Promise<Reason | null> {
    const address = plainAddress(given);
    if (isSpecial(address)) return 'special';
    if (!allowPrivate && isPrivate(address)) return 'private';
    if (port === this.#port && isOwn(address)) return 'service';
    const { networks, hosts, complete } = await this.#territories.current();
    if (hosts.some(host => host.address === address && (host.port ?? port) === port)) return 'engine';
    if (isWithin(address, networks)) return 'session';
    return !complete && isPrivate(address) ? 'unknown' : null;
  }
}

function targetOf(url: URL): { host: string; port: number } {
  const port = url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port);
  return { host: url.hostname.replace(/^\[|\]$/g, ''), port };
}

/** Whether an address is one of this machine's. */
function isOwn(address: string): boolean {
  return (
    isLoopback(address) ||
    Object.values(networkInterfaces()).some(each => each?.some(own => plainAddress(own.address) === address))
  );
}

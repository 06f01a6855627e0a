import { request as httpRequest, type IncomingMessage, type RequestOptions } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { isIP } from 'node:net';
import { networkInterfaces } from 'node:os';
import type { SecureContext } from 'node:tls';
import { unlessAborted } from '../lib/deadline.js';
import type { Engine } from '../engines/index.js';
import { isLoopback, isPrivate, isSpecial, isWithin, plainAddress } from './addresses.js';
import { NameResolver } from './name-resolver.js';
import { AddressRefused, type Reason } from './refused.js';
import { InternalAddresses, type Resolve } from './internal-addresses.js';

export interface OutboundOptions {
  engines: readonly Pick<Engine, 'addresses'>[];
  /** The port on which the service itself listens. */
  port: number;
  /** Addresses of name servers, with ports if they are not 53; those of the system by default. */
  nameServers?: readonly string[];
  /** Resolves names instead of name servers. */
  resolve?: Resolve;
  /** Whom https servers must be vouched for by, if not only by the usual authorities. */
  trust?: SecureContext;
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

/**
 * Sends requests to user-supplied addresses. None reaches engines, sessions' containers, the service itself, cloud
 * metadata services or other special addresses, whatever a name resolves to at that moment.
 */
export class Outbound {
  readonly #options: OutboundOptions;
  readonly #resolve: Resolve;
  readonly #internal: InternalAddresses;

  constructor(options: OutboundOptions, internal = new InternalAddresses(options.engines, options.resolve)) {
    this.#options = options;
    this.#resolve = options.resolve ?? resolveBy(new NameResolver({ servers: options.nameServers }));
    this.#internal = internal;
  }

  /** An instance that refuses the same addresses, but has look-ups of its own: neither waits for the other's names. */
  separate(): Outbound {
    return new Outbound(this.#options, this.#internal);
  }

  /** Why an address is refused without trying; null if it is not. Names are resolved when connecting. */
  async refusal(url: string, allowPrivate: boolean): Promise<Reason | null> {
    const { host, port } = targetOf(new URL(url));
    return isIP(host) === 0 ? null : this.#refusalOf(host, port, allowPrivate);
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
        ...(this.#options.trust === undefined ? {} : { secureContext: this.#options.trust }),
        signal,
        ...(silenceMs === undefined ? {} : { timeout: silenceMs }),
        lookup: this.#lookup(host, port, allowPrivate, signal),
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
  #lookup(
    host: string,
    port: number,
    allowPrivate: boolean,
    signal: AbortSignal,
  ): NonNullable<RequestOptions['lookup']> {
    return (_host, options, callback) => {
      const checked = async () => {
        const found = await this.#resolve(host, signal);
        for (const { address } of found) {
          const reason = await this.#refusalOf(address, port, allowPrivate);
          if (reason !== null) throw new AddressRefused(reason);
        }
        return found.map(({ address }) => ({ address, family: isIP(address) }));
      };
      checked().then(
        found => {
          const [first = { address: '', family: 0 }] = found;
          if (options.all) callback(null, found);
          else callback(null, first.address, first.family);
        },
        (error: Error) => callback(error, '', 0),
      );
    };
  }

  async #refusalOf(given: string, port: number, allowPrivate: boolean): Promise<Reason | null> {
    const address = plainAddress(given);
    if (isSpecial(address)) return 'special';
    if (!allowPrivate && isPrivate(address)) return 'private';
    if (port === this.#options.port && isOwn(address)) return 'service';
    const { networks, hosts, complete } = await this.#internal.current();
    if (hosts.some(host => host.address === address && (host.port ?? port) === port)) return 'engine';
    if (isWithin(address, networks)) return 'session';
    return !complete && isPrivate(address) ? 'unknown' : null;
  }
}

function resolveBy(names: NameResolver): Resolve {
  return async (name, signal) => (await names.resolve(name, signal)).map(address => ({ address }));
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

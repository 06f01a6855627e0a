import type { Express, Request } from 'express';
import type { IncomingMessage } from 'node:http';
import { isIP, SocketAddress } from 'node:net';

/** Whether the address of a hop, counted from this machine, is one of a proxy that is trusted. */
type Trust = (address: string, hop: number) => boolean;

/**
 * Finds the client's address under the app's proxy trust: follows `X-Forwarded-For` from its last entry as far as
 * trusted proxies added entries and these are addresses.
 */
export function clientIp(app: Express): (request: IncomingMessage) => string {
  const trusts = app.get('trust proxy fn') as Trust;
  return request => {
    const remote = request.socket.remoteAddress ?? '';
    let found = plainAddress(remote) ?? remote;
    const header = request.headers['x-forwarded-for'];
    if (header === undefined || !trusts(found, 0)) return found;
    const entries = String(header).split(',');
    for (let hop = 0; hop < entries.length && trusts(found, hop); hop++) {
      const next = plainAddress(entries[entries.length - 1 - hop] ?? '');
      if (next === null) break;
      found = next;
    }
    return found;
  };
}

/** Defines the `ip` of the app's requests as that address. */
export function plainAddresses(app: Express): void {
  const addressOf = clientIp(app);
  Object.defineProperty(app.request, 'ip', {
    configurable: true,
    get(this: Request) {
      return addressOf(this);
    },
  });
}

/**
 * The canonical form of an address as proxies write it: with a port, in brackets, with a zone, or an IPv4 address as
 * IPv6. Null if it is not an address.
 */
export function plainAddress(text: string): string | null {
  const bare = text.trim();
  const [, inside, ported] = /^(?:\[([^\]]*)\](?::\d{1,5})?|([\d.]+):\d{1,5})$/.exec(bare) ?? [];
  const [address = ''] = (inside ?? ported ?? bare).split('%', 1);
  const version = isIP(address);
  if (version !== 6) return version === 4 && inside === undefined ? address : null;
  return new SocketAddress({ address, family: 'ipv6' }).address.replace(/^::ffff:(?=\d+\.)/, '');
}

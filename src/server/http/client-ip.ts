import type { Express, Request } from 'express';
import type { IncomingMessage } from 'node:http';
import { isIP, SocketAddress } from 'node:net';

/** Whether the address of a hop, counted from this machine, is one of a proxy that is trusted. */
type Trust = (address: string, hop: number) => boolean;

/**
 * Finds the address that a request came from, under the app's proxy trust: of `X-Forwarded-For` as many entries count
 * as trusted proxies have added, from the last, up to the first that is no address.
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

/** Makes that the `ip` of the app's requests. */
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
 * An address as it is always written, from the ways in which proxies write it: with a port, in brackets, with a zone, or
 * an IPv4 address as IPv6. Null: it is none.
 */
export function plainAddress(text: string): string | null {
  const bare = text.trim();
  const [, inside, ported] = /^(?:\[([^\]]*)\](?::\d{1,5})?|([\d.]+):\d{1,5})$/.exec(bare) ?? [];
  const [address = ''] = (inside ?? ported ?? bare).split('%', 1);
  const version = isIP(address);
  if (version !== 6) return version === 4 && inside === undefined ? address : null;
  return new SocketAddress({ address, family: 'ipv6' }).address.replace(/^::ffff:(?=\d+\.)/, '');
}

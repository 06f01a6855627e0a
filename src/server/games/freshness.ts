import type { IncomingHttpHeaders } from 'node:http';

/** Rules for the use of a cached file, from its server's headers. */
export interface Freshness {
  /** Until when it need not be asked about the file, UTC milliseconds; null: at each use. */
  freshUntil: number | null;
  /** Whether the file may be used while the server cannot be asked. */
  mayBeStale: boolean;
}

const FORBIDS_STALE = ['no-store', 'no-cache', 'must-revalidate', 'proxy-revalidate', 's-maxage'];
const FORBIDS_FRESH = ['no-store', 'no-cache', 'private'];

/** Evaluates the headers of a response received at `now`, UTC milliseconds, by RFC 9111. */
export function freshnessOf(headers: IncomingHttpHeaders, now: number): Freshness {
  const directives = new Map(
    (headers['cache-control'] ?? '').split(',').map(directive => {
      const [name = '', value = ''] = directive.trim().toLowerCase().split('=');
      return [name, value.replaceAll('"', '')] as const;
    }),
  );
  const has = (name: string) => directives.has(name);
  const lifetime = FORBIDS_FRESH.some(has) ? 0 : lifetimeOf(directives, headers, now);
  const age = 1000 * (Number(headers.age) || 0);
  return {
    freshUntil: lifetime > age ? now + lifetime - age : null,
    mayBeStale: !FORBIDS_STALE.some(has),
  };
}

/** How long a response is fresh, ms; 0: it does not say. */
function lifetimeOf(directives: ReadonlyMap<string, string>, headers: IncomingHttpHeaders, now: number): number {
  const maxAge = directives.get('s-maxage') ?? directives.get('max-age');
  if (maxAge !== undefined) return /^\d{1,10}$/.test(maxAge) ? 1000 * Number(maxAge) : 0;
  const expires = Date.parse(headers.expires ?? '');
  const date = Date.parse(headers.date ?? '');
  return Number.isNaN(expires) ? 0 : expires - (Number.isNaN(date) ? now : date);
}

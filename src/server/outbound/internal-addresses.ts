import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { unlessAborted } from '../lib/deadline.js';
import type { Engine } from '../engines/index.js';
import { plainAddress } from './addresses.js';

/** Resolves a name to all its addresses, until `signal` aborts. */
export type Resolve = (name: string, signal: AbortSignal) => Promise<readonly { address: string }[]>;

/** Addresses of the engines and their sessions; `port` null: all ports. */
export interface KnownAddresses {
  networks: readonly string[];
  hosts: readonly { address: string; port: number | null }[];
  /** Whether every engine has reported its addresses at least once. */
  complete: boolean;
}

/** How long an engine's answer is considered fresh, ms. */
const FRESH_MS = 5000;

/** How long a request waits for a new answer of an engine whose addresses are known, ms. */
const PATIENCE_MS = 1000;

/** How long the name of an engine's machine may take to be resolved, ms. */
const RESOLVE_MS = 10_000;

/** The system's resolver, as for connections to engines: operators may name them by other means than DNS. */
const systemResolve: Resolve = name => lookup(name, { all: true });

interface Source {
  engine: Pick<Engine, 'addresses'>;
  known: Omit<KnownAddresses, 'complete'> | null;
  /** When it last answered, or failed to, by `performance.now`. */
  answeredAt: number;
  /** When it was last asked. */
  askedAt: number;
  asking: Promise<void> | null;
}

/**
 * Knows which addresses belong to engines and sessions. An engine's last answer remains valid while it is unreachable,
 * and while it is slow.
 */
export class InternalAddresses {
  readonly #sources: readonly Source[];
  readonly #resolve: Resolve;

  constructor(engines: readonly Pick<Engine, 'addresses'>[], resolve: Resolve = systemResolve) {
    this.#sources = engines.map(engine => ({ engine, known: null, answeredAt: -Infinity, askedAt: 0, asking: null }));
    this.#resolve = resolve;
  }

  /** All known addresses. */
  async current(): Promise<KnownAddresses> {
    await Promise.all(this.#sources.map(source => this.#refresh(source)));
    const known = this.#sources.flatMap(source => source.known ?? []);
    return {
      networks: known.flatMap(({ networks }) => networks),
      hosts: known.flatMap(({ hosts }) => hosts),
      complete: known.length === this.#sources.length,
    };
  }

  async #refresh(source: Source): Promise<void> {
    const now = performance.now();
    if (source.known !== null && now - source.answeredAt < FRESH_MS) return;
    if (source.asking === null) {
      source.askedAt = now;
      source.asking = this.#ask(source).finally(() => {
        source.asking = null;
        source.answeredAt = performance.now();
      });
    }
    if (source.known === null) return source.asking;
    const patience = AbortSignal.timeout(Math.max(0, Math.ceil(source.askedAt + PATIENCE_MS - now)));
    await unlessAborted(source.asking, patience).catch(() => undefined);
  }

  async #ask(source: Source): Promise<void> {
    try {
      const { networks, hosts } = await source.engine.addresses();
      const resolved = await Promise.all(
        hosts.map(async ({ host, port }) => {
          const found =
            isIP(host) === 0 ? await this.#resolve(host, AbortSignal.timeout(RESOLVE_MS)) : [{ address: host }];
          return found.map(({ address }) => ({ address: plainAddress(address), port }));
        }),
      );
      source.known = { networks, hosts: resolved.flat() };
    } catch {
      // Its last answer stays valid; without one, the addresses are incomplete.
    }
  }
}

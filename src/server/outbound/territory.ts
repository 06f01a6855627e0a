import type { LookupAddress } from 'node:dns';
import { isIP } from 'node:net';
import type { Engine } from '../engines/index.js';
import { plainAddress } from './addresses.js';

/** Resolves a name to all its addresses. */
export type Resolve = (name: string) => Promise<readonly Pick<LookupAddress, 'address'>[]>;

/** Addresses of the engines and their sessions; `port` null: all ports. */
export interface Places {
  networks: readonly string[];
  hosts: readonly { address: string; port: number | null }[];
  /** Whether every engine has reported its addresses at least once. */
  complete: boolean;
}

/** How long an engine's answer is considered fresh, ms. */
const FRESH_MS = 5000;

interface Source {
  engine: Pick<Engine, 'territory'>;
  known: Omit<Places, 'complete'> | null;
  /** When it was last asked, by `performance.now`. */
  askedAt: number;
  asking: Promise<void> | null;
}

/**
 * Knows which addresses belong to engines and sessions. An engine's last answer remains valid while it is unreachable.
 */
export class Territories {
  readonly #sources: readonly Source[];
  readonly #resolve: Resolve;

  constructor(engines: readonly Pick<Engine, 'territory'>[], resolve: Resolve) {
    this.#sources = engines.map(engine => ({ engine, known: null, askedAt: -Infinity, asking: null }));
    this.#resolve = resolve;
  }

  /** All known addresses. */
  async current(): Promise<Places> {
    await Promise.all(this.#sources.map(source => this.#refresh(source)));
    const known = this.#sources.flatMap(source => source.known ?? []);
    return {
      networks: known.flatMap(({ networks }) => networks),
      hosts: known.flatMap(({ hosts }) => hosts),
      complete: known.length === this.#sources.length,
    };
  }

  #refresh(source: Source): Promise<void> {
    const isFresh = source.known !== null && performance.now() - source.askedAt < FRESH_MS;
    if (isFresh) return Promise.resolve();
    source.asking ??= this.#ask(source).finally(() => {
      source.asking = null;
      source.askedAt = performance.now();
    });
    return source.asking;
  }

  async #ask(source: Source): Promise<void> {
    try {
      const { networks, hosts } = await source.engine.territory();
      const resolved = await Promise.all(
        hosts.map(async ({ host, port }) => {
          const found = isIP(host) === 0 ? await this.#resolve(host) : [{ address: host }];
          return found.map(({ address }) => ({ address: plainAddress(address), port }));
        }),
      );
      source.known = { networks, hosts: resolved.flat() };
    } catch {
      // What it told before holds. Where that is nothing, the places are not complete.
    }
  }
}

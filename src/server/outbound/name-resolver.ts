import { unlessAborted, withDeadline } from '../lib/deadline.js';
import { Semaphore } from '../lib/semaphore.js';
import { NameError, queryAddresses } from './dns-query.js';
import { meaningsOf, parseHosts, parseSearch, SystemFile } from './system-files.js';

export interface NameResolverOptions {
  /** Addresses of name servers, with ports if they are not 53; those of the system by default. */
  servers?: readonly string[] | undefined;
  hostsFile?: string;
  resolvFile?: string;
}

/** How long a look-up may take once it has begun, ms. */
const LOOKUP_MS = 4000;

/** How long a failure is remembered, ms. */
const FAILURE_MS = 5000;
const FAILURES_MAX = 1000;

/** Look-ups at a time, in all and of names in one domain; others wait. */
const LOOKUPS_MAX = 256;
const LOOKUPS_PER_DOMAIN = 32;

interface Lookup {
  readonly found: Promise<readonly string[]>;
  readonly ending: AbortController;
  waiting: number;
}

/**
 * Resolves user-supplied names as the system does: by /etc/hosts, then by DNS with the domains that may be left
 * out. Unlike the system's resolver, which has two threads for the whole process, a name whose server does not answer
 * holds up no other: look-ups end after some seconds, or when nobody waits any more.
 */
export class NameResolver {
  readonly #servers: readonly string[] | undefined;
  readonly #hosts: SystemFile<ReturnType<typeof parseHosts>>;
  readonly #search: SystemFile<ReturnType<typeof parseSearch>>;
  readonly #lookups = new Map<string, Lookup>();
  readonly #failures = new Map<string, { error: NameError; until: number }>();
  readonly #slots = new Semaphore(LOOKUPS_MAX);
  readonly #domains = new Map<string, { slots: Semaphore; users: number }>();

  constructor({ servers, hostsFile = '/etc/hosts', resolvFile = '/etc/resolv.conf' }: NameResolverOptions = {}) {
    this.#servers = servers;
    this.#hosts = new SystemFile(hostsFile, parseHosts);
    this.#search = new SystemFile(resolvFile, text => parseSearch(text));
  }

  /**
   * All addresses of a name, at least one. Concurrent requests for one name share a look-up; failures are remembered
   * for some seconds, addresses are not.
   * @throws NameError, or the signal's reason
   */
  async resolve(name: string, signal: AbortSignal): Promise<readonly string[]> {
    signal.throwIfAborted();
    const key = name.toLowerCase();
    const failure = this.#failures.get(key);
    if (failure !== undefined && performance.now() < failure.until) throw failure.error;
    const lookup = this.#lookups.get(key) ?? this.#begin(key);
    lookup.waiting++;
    try {
      return await unlessAborted(lookup.found, signal);
    } finally {
      lookup.waiting--;
      if (lookup.waiting === 0) this.#end(key, lookup);
    }
  }

  #begin(key: string): Lookup {
    const ending = new AbortController();
    const found = this.#limited(domainOf(key), () => this.#find(key, ending.signal), ending.signal);
    const lookup = { found, ending, waiting: 0 };
    this.#lookups.set(key, lookup);
    found.then(
      () => this.#failures.delete(key),
      (error: unknown) => {
        if (error instanceof NameError && !ending.signal.aborted) this.#remember(key, error);
      },
    );
    return lookup;
  }

  /** Nobody waits for a look-up any more: it is done, or cancelled. */
  #end(key: string, lookup: Lookup): void {
    lookup.ending.abort();
    if (this.#lookups.get(key) === lookup) this.#lookups.delete(key);
  }

  #remember(key: string, error: NameError): void {
    this.#failures.delete(key);
    this.#failures.set(key, { error, until: performance.now() + FAILURE_MS });
    const [oldest] = this.#failures.keys();
    if (this.#failures.size > FAILURES_MAX && oldest !== undefined) this.#failures.delete(oldest);
  }

  /** Runs a look-up when its domain and all together leave room for it. */
  async #limited<T>(domain: string, work: () => Promise<T>, signal: AbortSignal): Promise<T> {
    const own = this.#domains.get(domain) ?? { slots: new Semaphore(LOOKUPS_PER_DOMAIN), users: 0 };
    this.#domains.set(domain, own);
    own.users++;
    try {
      return await own.slots.run(() => this.#slots.run(work, signal), signal);
    } finally {
      own.users--;
      if (own.users === 0) this.#domains.delete(domain);
    }
  }

  async #find(name: string, ending: AbortSignal): Promise<readonly string[]> {
    const plain = name.replace(/\.$/, '');
    const listed = (await this.#hosts.read()).get(plain);
    if (listed !== undefined) return listed;
    if (plain === 'localhost' || plain.endsWith('.localhost')) return ['127.0.0.1', '::1'];
    const signal = withDeadline(LOOKUP_MS, ending);
    let failure = new NameError('absent', 'ENOTFOUND');
    for (const meaning of meaningsOf(name, await this.#search.read())) {
      try {
        return await queryAddresses(meaning, signal, this.#servers);
      } catch (error) {
        // A server that does not answer would not answer for the next candidate either.
        if (!(error instanceof NameError) || error.failure === 'silent') throw error;
        if (error.failure === 'incapable') failure = error;
      }
    }
    throw failure;
  }
}

/** The last two labels of a name, which may belong to somebody else than those of another one. */
const domainOf = (name: string) => name.replace(/\.$/, '').split('.').slice(-2).join('.');

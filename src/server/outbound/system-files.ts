import { readFile, stat } from 'node:fs/promises';
import { isIP } from 'node:net';
import { hostname } from 'node:os';

/** Addresses by name, in lower case. */
export type Hosts = ReadonlyMap<string, readonly string[]>;

/** Which names a name may stand for. */
export interface SearchRules {
  /** Domains that may be left out, in the order in which they are tried. */
  domains: readonly string[];
  /** A name with so many dots is tried as it is first, others with the domains first. */
  ndots: number;
}

const MAX_NDOTS = 15;

const linesOf = (text: string, comment: RegExp) =>
  text.split('\n').map(line => line.replace(comment, '').trim().split(/\s+/));

/** Reads the content of /etc/hosts. */
export function parseHosts(text: string): Hosts {
  const hosts = new Map<string, string[]>();
  for (const [address = '', ...names] of linesOf(text, /#.*/)) {
    if (isIP(address) === 0) continue;
    for (const name of names.map(each => each.toLowerCase())) {
      const known = hosts.get(name) ?? [];
      if (!known.includes(address)) hosts.set(name, [...known, address]);
    }
  }
  return hosts;
}

/** Reads the content of /etc/resolv.conf; without a domain in it, that of this machine's name counts. */
export function parseSearch(text: string, own: string = hostname()): SearchRules {
  const dot = own.indexOf('.');
  let domains = dot === -1 ? [] : [own.slice(dot + 1)];
  let ndots = 1;
  for (const [key, ...values] of linesOf(text, /[#;].*/)) {
    if (key === 'search') domains = values;
    if (key === 'domain') domains = values.slice(0, 1);
    if (key !== 'options') continue;
    for (const value of values) ndots = Number(/^ndots:(\d+)$/.exec(value)?.[1] ?? ndots);
  }
  return {
    domains: domains.map(domain => domain.replace(/\.$/, '').toLowerCase()).filter(domain => domain !== ''),
    ndots: Math.min(MAX_NDOTS, ndots),
  };
}

/** The names that a name may stand for, in the order in which they are tried. One that ends in a dot is complete. */
export function meaningsOf(name: string, { domains, ndots }: SearchRules): string[] {
  if (name.endsWith('.')) return [name.slice(0, -1)];
  const longer = domains.map(domain => `${name}.${domain}`);
  return name.split('.').length > ndots ? [name, ...longer] : [...longer, name];
}

/** A small file of the system's, parsed again when it has changed. One that cannot be read counts as empty. */
export class SystemFile<T> {
  readonly #path: string;
  readonly #parse: (text: string) => T;
  #known: { version: string; content: T } | undefined;

  constructor(path: string, parse: (text: string) => T) {
    this.#path = path;
    this.#parse = parse;
  }

  async read(): Promise<T> {
    const version = await stat(this.#path).then(
      ({ ino, size, mtimeMs }) => `${ino} ${size} ${mtimeMs}`,
      () => 'absent',
    );
    if (this.#known?.version !== version) {
      const text = await readFile(this.#path, 'utf8').catch(() => '');
      this.#known = { version, content: this.#parse(text) };
    }
    return this.#known.content;
  }
}

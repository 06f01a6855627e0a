import { Resolver } from 'node:dns/promises';

/** How long the first attempt at a name server may take, ms; the second one may take twice as long. */
const ATTEMPT_MS = 1000;
const ATTEMPTS = 2;

/** How long the addresses of one family wait for those of the other, ms: some name servers answer only for one. */
const OTHER_FAMILY_MS = 500;

/** The name exists nowhere, or has no address. */
const ABSENT = new Set(['ENOTFOUND', 'ENODATA']);
/** A name server answered that it does not know: another one may. */
const INCAPABLE = new Set(['ESERVFAIL', 'EREFUSED', 'ENOTIMP', 'EFORMERR', 'EBADRESP']);

const TEXTS = {
  absent: 'the name does not exist',
  incapable: 'the name server reports a failure',
  silent: 'the name server does not answer',
} as const;

/** A name could not be resolved. */
export class NameError extends Error {
  override readonly name = 'NameError';
  readonly failure: keyof typeof TEXTS;
  /** The resolver's code, such as `ENOTFOUND` and `ETIMEOUT`. */
  readonly code: string;

  constructor(failure: keyof typeof TEXTS, code: string) {
    super(TEXTS[failure]);
    this.failure = failure;
    this.code = code;
  }
}

/**
 * Asks name servers for all addresses of a complete name, IPv4 first. `servers` are those of the system by default, with
 * ports if they are not 53. Unlike the system's resolver, it occupies no thread.
 * @throws NameError; also when `signal` aborts
 */
export async function queryAddresses(
  name: string,
  signal: AbortSignal,
  servers?: readonly string[],
): Promise<readonly string[]> {
  // A resolver for each query: it can be cancelled alone, and has the system's current settings.
  const resolver = new Resolver({ timeout: ATTEMPT_MS, tries: ATTEMPTS });
  if (servers !== undefined) resolver.setServers(servers);
  const cancel = () => resolver.cancel();
  signal.addEventListener('abort', cancel, { once: true });
  try {
    for (let left = resolver.getServers(); ; left = left.slice(1)) {
      if (signal.aborted) throw new NameError('silent', 'ETIMEOUT');
      const { addresses, error } = await bothFamilies(resolver, name);
      if (error === null) return addresses;
      if (error.failure !== 'incapable' || left.length < 2) throw error;
      resolver.setServers(left.slice(1));
    }
  } finally {
    signal.removeEventListener('abort', cancel);
  }
}

async function bothFamilies(resolver: Resolver, name: string) {
  const queries = [resolver.resolve4(name), resolver.resolve6(name)];
  let timer: NodeJS.Timeout | undefined;
  const first = Promise.any(queries).then(
    () => (timer = setTimeout(() => resolver.cancel(), OTHER_FAMILY_MS)),
    () => undefined,
  );
  const answers = await Promise.allSettled(queries);
  await first;
  clearTimeout(timer);
  const addresses = answers.flatMap(answer => (answer.status === 'fulfilled' ? answer.value : []));
  if (addresses.length > 0) return { addresses, error: null };
  const codes = answers.map(answer => codeOf(answer.status === 'rejected' ? answer.reason : undefined));
  return { addresses, error: errorOf(codes) };
}

const codeOf = (error: unknown) => (error as NodeJS.ErrnoException | undefined)?.code ?? 'ENODATA';

function errorOf(codes: readonly string[]): NameError {
  const code = codes.find(each => !ABSENT.has(each));
  if (code === undefined) return new NameError('absent', 'ENOTFOUND');
  // Not a name at all.
  if (code === 'EBADNAME') return new NameError('absent', code);
  if (INCAPABLE.has(code)) return new NameError('incapable', code);
  return new NameError('silent', code === 'ECANCELLED' ? 'ETIMEOUT' : code);
}

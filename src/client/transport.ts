import { secondsOf } from './errors.js';

export interface TransportOptions {
  /** Milliseconds until an answer must have begun; a request that takes longer fails and is not repeated. Default 60000. */
  timeout?: number;
  /** Maximum number of retries of a request that is safe to retry. Default 2. */
  retries?: number;
  /** Longest delay before a retry, milliseconds; a longer `Retry-After` is an error immediately. Default 10000. */
  maxWait?: number;
  /** Whether the service ignores unknown fields of requests instead of refusing them. Default false. */
  lenient?: boolean;
  /** Used in place of the global `fetch`. */
  fetch?: (request: Request) => Promise<Response>;
}

/** Requests that may be retried although the first attempt may have succeeded. */
const isIdempotent = ({ method, headers }: Request): boolean =>
  method === 'GET' || method === 'DELETE' || headers.has('idempotency-key');

/** Status codes that are worth a retry. */
const PASSING: ReadonlySet<number> = new Set([502, 503, 504]);

const FIRST_WAIT_MS = 250;

/**
 * Makes a `fetch` that retries when that is safe: every request refused with 429, and idempotent ones after network
 * failures and errors of the service or an intermediary.
 */
export function transport(options: TransportOptions = {}): (request: Request) => Promise<Response> {
  const { timeout = 60_000, retries = 2, maxWait = 10_000, lenient, fetch: send = request => fetch(request) } = options;
  return async request => {
    if (lenient) request.headers.set('prefer', 'handling=lenient');
    for (let attempt = 0; ; attempt++) {
      const outcome = await once(send, retries > attempt ? request.clone() : request, timeout);
      const wait = attempt < retries ? waitBefore(isIdempotent(request), outcome, attempt) : null;
      if (wait === null || wait > maxWait) {
        if (outcome instanceof Response) return outcome;
        throw outcome;
      }
      if (outcome instanceof Response) await outcome.body?.cancel();
      await new Promise(resolve => setTimeout(resolve, wait));
      request.signal.throwIfAborted();
    }
  };
}

/** The answer, or the error thrown instead of one. */
async function once(
  send: (request: Request) => Promise<Response>,
  request: Request,
  timeout: number,
): Promise<Response | Error> {
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), timeout);
  try {
    return await send(new Request(request, { signal: AbortSignal.any([request.signal, late.signal]) }));
  } catch (error) {
    request.signal.throwIfAborted();
    // Whoever is slow to answer is not asked once more beside that.
    if (late.signal.aborted) throw new Error(`No answer within ${timeout} ms.`, { cause: error });
    return error instanceof Error ? error : new Error(String(error));
  } finally {
    clearTimeout(timer);
  }
}

/** Milliseconds to wait before a retry; null: do not retry. */
function waitBefore(isSafe: boolean, outcome: Response | Error, attempt: number): number | null {
  const growing = FIRST_WAIT_MS * 2 ** attempt;
  if (!(outcome instanceof Response)) return isSafe ? growing : null;
  const asked = secondsOf(outcome.headers.get('retry-after'));
  if (outcome.status === 429) return asked === null ? growing : asked * 1000;
  return isSafe && PASSING.has(outcome.status) ? (asked === null ? growing : asked * 1000) : null;
}

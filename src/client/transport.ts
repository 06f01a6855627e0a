import { secondsOf } from './errors.js';

export interface TransportOptions {
  /** Milliseconds until an answer must have begun. Default 60000. */
  timeout?: number;
  /** How often a request is repeated at most, where that is safe. Default 2. */
  retries?: number;
  /** Longest wait before a repetition, milliseconds: a longer `Retry-After` is an error at once. Default 10000. */
  maxWait?: number;
  /** Sends requests instead of the global `fetch`. */
  fetch?: (request: Request) => Promise<Response>;
}

/** Requests that may be repeated although the first may have been carried out. */
const IDEMPOTENT: ReadonlySet<string> = new Set(['GET', 'DELETE']);

/** Answers of which a repetition may be better. */
const PASSING: ReadonlySet<number> = new Set([502, 503, 504]);

const FIRST_WAIT_MS = 250;

/**
 * Makes a `fetch` that repeats requests where it is safe: every request that was refused with 429, and idempotent
 * ones after faults of the network, of the service and of what is between.
 */
export function transport(options: TransportOptions = {}): (request: Request) => Promise<Response> {
  const { timeout = 60_000, retries = 2, maxWait = 10_000, fetch: send = request => fetch(request) } = options;
  return async request => {
    for (let attempt = 0; ; attempt++) {
      const outcome = await once(send, retries > attempt ? request.clone() : request, timeout);
      const wait = attempt < retries ? waitBefore(request.method, outcome, attempt) : null;
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

/** The answer, or the error that came instead of one. */
async function once(
  send: (request: Request) => Promise<Response>,
  request: Request,
  timeout: number,
): Promise<Response | Error> {
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(new Error(`No answer within ${timeout} ms.`)), timeout);
  try {
    return await send(new Request(request, { signal: AbortSignal.any([request.signal, late.signal]) }));
  } catch (error) {
    request.signal.throwIfAborted();
    return error instanceof Error ? error : new Error(String(error));
  } finally {
    clearTimeout(timer);
  }
}

/** Milliseconds to wait before a repetition; null: none. */
function waitBefore(method: string, outcome: Response | Error, attempt: number): number | null {
  const growing = FIRST_WAIT_MS * 2 ** attempt;
  if (!(outcome instanceof Response)) return IDEMPOTENT.has(method) ? growing : null;
  const told = secondsOf(outcome.headers.get('retry-after'));
  if (outcome.status === 429) return told === null ? growing : told * 1000;
  return IDEMPOTENT.has(method) && PASSING.has(outcome.status) ? (told === null ? growing : told * 1000) : null;
}

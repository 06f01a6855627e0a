import type { RequestHandler } from 'express';
import type { Operation } from './operation.js';

declare module 'express-serve-static-core' {
  interface Request {
    /** Finds the operation of a request; null if there is none at the address. */
    match: Match | null;
  }
}

/** A matched operation, with the parameters of its path. */
export interface Match {
  operation: Operation;
  params: Readonly<Record<string, string>>;
}

const PARAMETER = /\{(\w+)\}/;

/** A path as Express has it: `/s/:session_id`. */
export const expressPath = (path: string): string => path.replaceAll(new RegExp(PARAMETER, 'g'), ':$1');

/** Operations in the order in which paths are matched: `/v0/vm/usage` is usage, not a session with that ID. */
export function inOrder(operations: readonly Operation[]): readonly Operation[] {
  const parameters = ({ path }: Operation) => path.split('{').length;
  return operations.toSorted((a, b) => parameters(a) - parameters(b));
}

/**
 * Finds the operation of each request before authentication, since the log covers all requests. Matches like Express:
 * case-insensitively, with an optional trailing slash, HEAD as GET.
 */
export function matchRequests(operations: readonly Operation[]): RequestHandler {
  const patterns = inOrder(operations).map(operation => ({ operation, ...patternOf(operation) }));
  return (request, _response, next) => {
    const method = request.method === 'HEAD' ? 'GET' : request.method;
    request.match = null;
    for (const { operation, method: own, path, names } of patterns) {
      const found = own === method ? path.exec(request.path) : null;
      if (found === null) continue;
      const params = Object.fromEntries(names.map((name, i) => [name, decoded(found[i + 1] ?? '')]));
      request.match = { operation, params };
      break;
    }
    next();
  };
}

/** A regular expression for a path with a group for each parameter, and their names. */
function patternOf({ method, path }: Operation): { method: string; path: RegExp; names: string[] } {
  // Every second part is the name of a parameter.
  const parts = path.split(PARAMETER);
  const source = parts.map((part, i) => (i % 2 === 0 ? part.replaceAll('.', '\\.') : '([^/]+)')).join('');
  const names = parts.filter((_, i) => i % 2 === 1);
  return { method: method.toUpperCase(), path: new RegExp(`^${source}/?$`, 'i'), names };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

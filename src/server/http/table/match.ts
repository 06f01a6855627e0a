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
  params: Record<string, string>;
  /** Whether all parameters could be decoded; those that could not are as they came. */
  wellFormed: boolean;
}

const PARAMETER = /\{(\w+)\}/;

/** Operations in the order in which paths are matched: `/v0/vm/usage` is usage, not a session with that ID. */
function inOrder(operations: readonly Operation[]): readonly Operation[] {
  const parameters = ({ path }: Operation) => path.split('{').length;
  return operations.toSorted((a, b) => parameters(a) - parameters(b));
}

/**
 * Finds the operation of each request before any other middleware, since logs, limits and authentication depend on it.
 * Express's own router would find it only after them; Express stays for the middleware, static files, proxy headers and
 * error handling around the table. Matches as Express does: case-insensitively, with an optional trailing slash, HEAD as
 * GET.
 */
export function matchRequests(operations: readonly Operation[]): RequestHandler {
  const patterns = new Map<string, Pattern[]>();
  for (const operation of inOrder(operations)) {
    const method = operation.method.toUpperCase();
    patterns.set(method, [...(patterns.get(method) ?? []), patternOf(operation)]);
  }
  return (request, _response, next) => {
    request.match = find(patterns.get(request.method === 'HEAD' ? 'GET' : request.method) ?? [], request.path);
    next();
  };
}

/** An operation, a regular expression for its path with a group for each parameter, and their names. */
interface Pattern {
  operation: Operation;
  path: RegExp;
  names: readonly string[];
}

function patternOf(operation: Operation): Pattern {
  // Every second part is the name of a parameter.
  const parts = operation.path.split(PARAMETER);
  const source = parts.map((part, i) => (i % 2 === 0 ? part.replaceAll('.', '\\.') : '([^/]+)')).join('');
  const names = parts.filter((_, i) => i % 2 === 1);
  return { operation, path: new RegExp(`^${source}/?$`, 'i'), names };
}

function find(patterns: readonly Pattern[], path: string): Match | null {
  for (const { operation, path: pattern, names } of patterns) {
    const found = pattern.exec(path);
    if (found === null) continue;
    const match: Match = { operation, params: {}, wellFormed: true };
    names.forEach((name, i) => {
      const text = found[i + 1] ?? '';
      const value = decoded(text);
      match.params[name] = value ?? text;
      match.wellFormed &&= value !== null;
    });
    return match;
  }
  return null;
}

function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}

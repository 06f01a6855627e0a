import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Log } from '../lib/log.js';
import { drained } from './body.js';

/** A request with its decoded address. */
export interface RouteRequest {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** The rest of the address after the route's path, decoded; may be empty. */
  readonly rest: string;
  readonly query: URLSearchParams;
}

/** A type of request to the agent (docs/reference/protocol.md). */
export interface Route {
  readonly method: 'GET' | 'PUT' | 'POST';
  /** `/profile` matches exactly, `/uploads/` as a prefix. */
  readonly path: string;
  handle(request: RouteRequest): Promise<void> | void;
}

/** An error that is returned to the service. */
export class RouteError extends Error {
  override readonly name = 'RouteError';

  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
  ) {
    super(message);
  }
}

/** Answers a request with its route. */
export async function serve(
  routes: readonly Route[],
  request: IncomingMessage,
  response: ServerResponse,
  log: Log,
): Promise<void> {
  try {
    const { pathname, searchParams: query } = new URL(request.url ?? '', 'http://agent');
    const route = routes.find(({ method, path }) => method === request.method && matches(path, pathname));
    if (route === undefined) throw new RouteError(404, 'not_found', 'There is nothing at this address.');
    await route.handle({ request, response, rest: decode(pathname.slice(route.path.length)), query });
  } catch (error) {
    await fail(request, response, error, log);
  }
}

function decode(rest: string): string {
  try {
    return decodeURIComponent(rest);
  } catch {
    throw new RouteError(400, 'bad_request', 'The address is not encoded correctly.');
  }
}

/** Answers with JSON. */
export function answer(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

const matches = (path: string, pathname: string) =>
  path.endsWith('/') ? pathname.startsWith(path) : pathname === path;

async function fail(request: IncomingMessage, response: ServerResponse, error: unknown, log: Log): Promise<void> {
  if (!(error instanceof RouteError))
    log.warn('request failed', { path: request.url?.split('?', 1)[0], error: String(error) });
  // A response already begun can only be cut off.
  if (response.headersSent) return void response.destroy();
  const { status, code, message } =
    error instanceof RouteError ? error : new RouteError(500, 'internal', 'Internal error; see the log of the agent.');
  const body = JSON.stringify({ code, message });
  const headers = {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
    connection: 'close',
  };
  response.writeHead(status, headers).write(body);
  await drained(request);
  response.end();
}

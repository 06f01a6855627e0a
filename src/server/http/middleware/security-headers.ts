import type { IncomingMessage, ServerResponse } from 'node:http';
import helmet from 'helmet';

/** The script in `src/web/static/player.html` itself. */
const RELOADING = "'sha256-CErHG5I0F83YMJPepQnABIW0oEGcFc50wzhtRTqazxI='";

/**
 * Security headers of all answers. The player page may be framed by any page, since embedding is its purpose, and must
 * work over plain HTTP: no upgrade to HTTPS is requested.
 */
const HEADERS = headersOf(
  helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        baseUri: ["'none'"],
        formAction: ["'none'"],
        objectSrc: ["'none'"],
        connectSrc: ["'self'", 'ws:', 'wss:'],
        // A PDF that is printed.
        frameSrc: ['blob:'],
        imgSrc: ["'self'", 'data:', 'blob:'],
        mediaSrc: ["'self'", 'blob:'],
        workerSrc: ["'self'", 'blob:'],
        styleSrc: ["'self'", "'unsafe-inline'"],
        scriptSrc: ["'self'", "'wasm-unsafe-eval'", RELOADING],
        frameAncestors: ['*'],
      },
    },
    crossOriginOpenerPolicy: false,
    crossOriginResourcePolicy: { policy: 'cross-origin' },
    referrerPolicy: { policy: 'no-referrer' },
    strictTransportSecurity: false,
    xFrameOptions: false,
  }),
);

/** Sets them; they are the same for every answer. */
export function securityHeaders(_request: IncomingMessage, response: ServerResponse, next: () => void): void {
  for (const [name, value] of HEADERS) response.setHeader(name, value);
  next();
}

/** The headers that a middleware of helmet sets. */
function headersOf(middleware: ReturnType<typeof helmet>): ReadonlyMap<string, string> {
  const headers = new Map<string, string>();
  const response = {
    setHeader: (name: string, value: string) => headers.set(name, value),
    removeHeader: (name: string) => headers.delete(name),
  };
  middleware({} as IncomingMessage, response as unknown as ServerResponse, error => {
    if (error !== undefined) throw error as Error;
  });
  return headers;
}

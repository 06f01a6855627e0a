import { Router, type RequestHandler } from 'express';
import { HttpError } from '../model/index.js';

/** What operators and their tools ask. */
export interface Operations {
  /** Resolves with the parts for which the service is not ready; none: it is. */
  failing(): Promise<readonly string[]>;
  /** The metrics as text, and its content type. */
  metrics(): Promise<{ contentType: string; text: string }>;
}

/** `GET /healthz`: the process lives. `GET /readyz`: sessions can be started. `GET /metrics`. */
export function operations(parts: Operations, metricsGuard: RequestHandler | null): Router {
  const router = Router();
  router.get('/healthz', (_request, response) => void response.json({ status: 'ok' }));
  router.get('/readyz', async (_request, response) => {
    const failing = await parts.failing();
    if (failing.length > 0) {
      // Anybody may ask: why stands in the log.
      throw new HttpError('not_ready', {
        details: failing.map(part => ({ path: `/${part}`, message: 'does not work' })),
      });
    }
    response.json({ status: 'ready' });
  });
  router.get('/metrics', ...(metricsGuard ? [metricsGuard] : []), async (_request, response) => {
    const { contentType, text } = await parts.metrics();
    response.type(contentType).send(text);
  });
  return router;
}

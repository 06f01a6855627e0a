import { pipeline } from 'node:stream/promises';
import { Router } from 'express';
import type { ScreenshotQuery } from '../../../protocol/generated/schemas.js';
import type { Hub } from '../../participants/index.js';
import { requestValidator } from '../validate.js';
import { askAgent } from './agent.js';
import type { ViewerGuard } from './viewer-guard.js';

const validate = requestValidator<ScreenshotQuery>('queries.json#/$defs/screenshot', 'invalid_query');

/** `GET /s/{id}/screenshot?width=`: the display as PNG, for all who may see it. */
export function sessionScreenshot(hub: Hub, guard: ViewerGuard): Router {
  return Router().get('/s/:id/screenshot', async (request, response) => {
    const { id } = await guard(request);
    const { ticket: _, ...query } = request.query;
    const { width } = validate(request, query);
    const gone = new AbortController();
    response.once('close', () => gone.abort());
    const answer = await askAgent(hub, id, {
      method: 'GET',
      path: width === undefined ? '/screenshot' : `/screenshot?width=${width}`,
      signal: gone.signal,
    });
    response.set({ 'cache-control': 'no-store', 'content-type': 'image/png' });
    // Whoever is cut off notices by the missing end; there is nobody else to tell.
    await pipeline(answer, response).catch(() => response.destroy());
  });
}

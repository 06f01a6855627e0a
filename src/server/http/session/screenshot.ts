import { pipeline } from 'node:stream/promises';
import { Router } from 'express';
import type { ScreenshotQuery } from '../../../protocol/generated/schemas.js';
import type { Hub } from '../../participants/index.js';
import { requestValidator } from '../validate.js';
import { askAgent } from './agent.js';
import type { SessionGuard } from './guard.js';

const validate = requestValidator<ScreenshotQuery>('queries.json#/$defs/screenshot', 'invalid_query');

/** `GET /s/{id}/screenshot?width=`: the display as PNG. */
export function sessionScreenshot(hub: Hub, guard: SessionGuard): Router {
  return Router().get('/s/:id/screenshot', guard.required, async (request, response) => {
    const { width } = validate(request, request.query);
    const gone = new AbortController();
    response.once('close', () => gone.abort());
    const answer = await askAgent(hub, request.params.id, {
      method: 'GET',
      path: width === undefined ? '/screenshot' : `/screenshot?width=${width}`,
      signal: gone.signal,
    });
    response.set({ 'cache-control': 'no-store', 'content-type': 'image/png' });
    // Whoever is cut off notices by the missing end; there is nobody else to tell.
    await pipeline(answer, response).catch(() => response.destroy());
  });
}

import { Router, type Request } from 'express';
import type { SessionUpload } from '../../../protocol/generated/schemas.js';
import { validator } from '../../../protocol/validation.js';
import type { Hub } from '../../participants/index.js';
import { HttpError, mayUpload } from '../../model/index.js';
import { askAgent, readJson } from './agent.js';
import { checkLength, limitedBody } from './limited-body.js';
import type { ViewerGuard } from './viewer-guard.js';

const need = { test: mayUpload, message: 'Uploads need the roles file_upload and control.' };

const isUpload = validator<SessionUpload>('answers.json#/$defs/upload');

/** `POST /s/{id}/uploads/{name}`: brings a file of at most `maxBytes` into the session, for its choosers and drops. */
export function sessionUploads(hub: Hub, guard: ViewerGuard, maxBytes: number): Router {
  const router = Router();
  const tooLarge = `A file may have at most ${Math.floor(maxBytes / 2 ** 20)} MiB.`;
  router.post('/s/:id/uploads/:name', async (request, response) => {
    const { id } = await guard(request, need);
    checkLength(request, maxBytes, tooLarge);
    const answer = await askAgent(hub, id, {
      method: 'POST',
      path: `/uploads/${encodeURIComponent(request.params.name)}`,
      headers: { 'content-type': 'application/octet-stream', ...lengthOf(request) },
      body: limitedBody(request, maxBytes, tooLarge),
    });
    const upload = isUpload(await readJson(answer));
    if (!upload.ok) throw new HttpError('agent_failed');
    response.status(201).set('cache-control', 'no-store').json(upload.value);
  });
  return router;
}

/** The agent is told how much comes, where the caller says so. */
function lengthOf({ headers }: Pick<Request, 'headers'>): Record<string, string> {
  const length = headers['content-length'];
  return length === undefined ? {} : { 'content-length': length };
}

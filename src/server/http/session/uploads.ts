import { Router, type Request } from 'express';
import { Transform } from 'node:stream';
import type { SessionUpload } from '../../../protocol/generated/schemas.js';
import { validator } from '../../../protocol/validation.js';
import { mayUpload, type Hub } from '../../participants/index.js';
import { HttpError } from '../errors.js';
import { askAgent, readJson } from './agent.js';
import type { FileGuard } from './file-guard.js';

const NEED = 'Uploads need the roles file_upload and control.';

const isUpload = validator<SessionUpload>('answers.json#/$defs/upload');

/** `POST /s/{id}/uploads/{name}`: brings a file of at most `maxBytes` into the session, for its choosers and drops. */
export function sessionUploads(hub: Hub, guard: FileGuard, maxBytes: number): Router {
  const router = Router();
  router.post('/s/:id/uploads/:name', async (request, response) => {
    const { id } = await guard(request, mayUpload, NEED);
    const answer = await askAgent(hub, id, {
      method: 'POST',
      path: `/uploads/${encodeURIComponent(request.params.name)}`,
      headers: { 'content-type': 'application/octet-stream', ...lengthOf(request, maxBytes) },
      body: limited(request, maxBytes),
    });
    const upload = isUpload(await readJson(answer));
    if (!upload.ok) throw new HttpError('agent_failed');
    response.status(201).set('cache-control', 'no-store').json(upload.value);
  });
  return router;
}

/** The agent is told how much comes, where the caller says so. @throws HttpError where that is too much */
function lengthOf({ headers }: Request<object>, maxBytes: number): Record<string, string> {
  const length = headers['content-length'];
  if (length === undefined) return {};
  if (Number(length) > maxBytes) throw tooLarge(maxBytes);
  return { 'content-length': length };
}

/** The body, up to the limit. The request itself outlives a failure, so that it can be answered. */
function limited(request: Request<object>, maxBytes: number): Transform {
  let bytes = 0;
  const body = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length;
      if (bytes > maxBytes) done(tooLarge(maxBytes));
      else done(null, chunk);
    },
  });
  request.once('close', () => request.complete || body.destroy(new Error('The caller has gone.')));
  return request.pipe(body);
}

const tooLarge = (maxBytes: number) =>
  new HttpError('body_too_large', { message: `A file may have at most ${Math.floor(maxBytes / 2 ** 20)} MiB.` });

import { Router } from 'express';
import { pipeline } from 'node:stream/promises';
import type { Download, SessionDownloads } from '../../../protocol/generated/schemas.js';
import { validator } from '../../../protocol/validation.js';
import type { Hub } from '../../participants/index.js';
import { HttpError, mayDownload } from '../../model/index.js';
import { askAgent, readJson } from './agent.js';
import type { ViewerGuard } from './viewer-guard.js';

const need = { test: mayDownload, message: 'Downloads need the role file_download.' };

/** What a file's ID is made of; nothing else reaches the agent. */
const ID = /^[A-Za-z0-9_-]{1,64}$/;

/** Container and service are strangers: only a header of this form is passed on. */
const DISPOSITION = /^attachment; filename="[ !#-[\]-~]*"; filename\*=UTF-8''[\w.!~%-]*$/;

/** Files come from anywhere: on this origin none may run or be shown. */
const INERT = { 'content-security-policy': "sandbox; default-src 'none'", 'x-content-type-options': 'nosniff' };

const isDownload = validator<Download>('link.json#/$defs/download');

/** `GET /s/{id}/downloads`: what was downloaded in the session. `GET /s/{id}/downloads/{file}`: one of the files. */
export function sessionDownloads(hub: Hub, guard: ViewerGuard): Router {
  const router = Router();
  router.get('/s/:id/downloads', async (request, response) => {
    const { id } = await guard(request, need);
    const { downloads } = (await readJson(await askAgent(hub, id, { method: 'GET', path: '/downloads' }))) as {
      downloads?: unknown;
    };
    const answer: SessionDownloads = { downloads: (Array.isArray(downloads) ? downloads : []).flatMap(listed) };
    response.set('cache-control', 'no-store').json(answer);
  });
  router.get('/s/:id/downloads/:file', async (request, response) => {
    const { id } = await guard(request, need);
    const { file } = request.params;
    if (!ID.test(file)) throw new HttpError('download_not_found');
    const source = await askAgent(hub, id, { method: 'GET', path: `/downloads/${file}` });
    const { 'content-disposition': disposition = '', 'content-length': length = '' } = source.headers;
    response.set({
      ...INERT,
      'content-type': 'application/octet-stream',
      'content-disposition': DISPOSITION.test(disposition) ? disposition : 'attachment',
      'cache-control': 'no-store',
      ...(/^\d{1,15}$/.test(length) ? { 'content-length': length } : {}),
    });
    // Who went away, or a container that did, is no fault of the service's.
    await pipeline(source, response).catch(() => response.destroy());
  });
  return router;
}

function listed(download: unknown): SessionDownloads['downloads'] {
  const result = isDownload(download);
  if (!result.ok) return [];
  const { id, name, size } = result.value;
  return [{ id, name, size }];
}

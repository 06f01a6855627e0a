import { Router } from 'express';
import { crossOrigin } from '../cross-origin.js';
import { openApiDocument } from './document.js';
import { docsPage } from './page/index.js';
import type { OpenApi } from './page/model.js';

/** `GET /openapi.json`: the description of the interface. `GET /docs`: the same as a page. */
export function openApi(version: string): Router {
  const document = openApiDocument(version);
  const page = docsPage(document as unknown as OpenApi);
  const router = Router();
  router.get('/openapi.json', crossOrigin, (_request, response) => void response.json(document));
  router.get('/docs', (_request, response) => void response.type('html').send(page));
  return router;
}

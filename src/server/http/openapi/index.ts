import { openApiDocument } from './document.js';
import { docsPage } from './page/index.js';
import type { OpenApi } from './page/model.js';

/** The OpenAPI document, as JSON and as a page. */
export function describe(version: string): { document: object; page: string } {
  const document = openApiDocument(version);
  return { document, page: docsPage(document as unknown as OpenApi) };
}

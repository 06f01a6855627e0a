import { createHash } from 'node:crypto';
import type { OperationContext, StaticText } from '../context.js';
import { openApiDocument } from './document.js';
import { docsPage } from './page/index.js';
import type { OpenApi } from './page/model.js';

/** The OpenAPI document of this version, as JSON and as a page; `path`: that of the public address, or empty. */
export function describe(version: string, path: string): OperationContext['description'] {
  const document = openApiDocument(version, path);
  return {
    document: staticText(JSON.stringify(document)),
    page: staticText(docsPage(document as unknown as OpenApi)),
  };
}

function staticText(text: string): StaticText {
  const bytes = Buffer.from(text);
  return { bytes, etag: `"${createHash('sha256').update(bytes).digest('base64url')}"` };
}

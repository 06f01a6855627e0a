import { createHash } from 'node:crypto';
import { openApiDocument } from './document.js';
import { docsPage } from './page/index.js';
import type { OpenApi } from './page/model.js';

/** A text that does not change while the service runs, and a tag by which clients know that they have it. */
export interface Fixed {
  bytes: Buffer;
  etag: string;
}

/** The OpenAPI document, as JSON and as a page. */
export interface Described {
  document: Fixed;
  page: Fixed;
}

/** Describes the interface of this version. */
export function describe(version: string): Described {
  const document = openApiDocument(version);
  return {
    document: fixed(JSON.stringify(document)),
    page: fixed(docsPage(document as unknown as OpenApi)),
  };
}

function fixed(text: string): Fixed {
  const bytes = Buffer.from(text);
  return { bytes, etag: `"${createHash('sha256').update(bytes).digest('base64url')}"` };
}

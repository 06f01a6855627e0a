import type { Schema } from './fields.js';

/** The parts of an OpenAPI document that the page shows. */
export interface Media {
  schema: Schema;
  example?: unknown;
}

export interface OperationObject {
  operationId: string;
  tags?: readonly string[];
  summary: string;
  description?: string;
  security?: readonly Readonly<Record<string, unknown>>[];
  parameters?: readonly { name: string; in: string; description?: string; required?: boolean; schema: Schema }[];
  requestBody?: { description?: string; required?: boolean; content: Readonly<Record<string, Media>> };
  responses: Readonly<Record<string, { description: string; content?: Readonly<Record<string, Media>> }>>;
}

export interface OpenApi {
  info: { title: string; version: string; description: string };
  tags: readonly { name: string; description: string }[];
  paths: Readonly<Record<string, Readonly<Record<string, OperationObject>>>>;
  webhooks: Readonly<Record<string, Readonly<Record<string, OperationObject>>>>;
  components: {
    schemas: Readonly<Record<string, Schema>>;
    securitySchemes: Readonly<Record<string, { type: string; description: string; name?: string }>>;
  };
  'x-errors': readonly { status: number; code: string; message: string }[];
}

/** An operation with its path and method. */
export interface Call {
  method: string;
  path: string;
  operation: OperationObject;
}

/** All operations of a document, or those of one group if given. */
export function callsOf(document: OpenApi, tag?: string): Call[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, operation]) => tag === undefined || operation.tags?.includes(tag))
      .map(([method, operation]) => ({ method, path, operation })),
  );
}

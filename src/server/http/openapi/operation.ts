import type { ErrorCode } from '../../model/index.js';

/** Who may call: holders of the service's API key, of a session's admin token, embed token or ticket; anybody. */
export type Security = 'apiKey' | 'adminToken' | 'embedToken' | 'ticket';

/** A place in schemas/ (`answers.json#/$defs/session`), or a schema of its own. */
export type SchemaRef = string | { readonly [keyword: string]: unknown };

/** What a body is made of, by media type. */
export type Content = Readonly<Record<string, { schema: SchemaRef; example?: unknown }>>;

export interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  description: string;
  schema: SchemaRef;
  required?: boolean;
}

export interface Answer {
  description: string;
  content?: Content;
}

/** One call of the interface. */
export interface Operation {
  method: 'get' | 'post' | 'put' | 'delete';
  path: string;
  /** Name of the call, unique. */
  id: string;
  tag: string;
  summary: string;
  description?: string;
  /** Each of them is enough; none: anybody may call. */
  security: readonly Security[];
  parameters?: readonly Parameter[];
  /** A place in schemas/ whose properties are the query parameters. */
  query?: string;
  body?: { description?: string; required: boolean; content: Content };
  answers: Readonly<Record<number, Answer>>;
  /** Besides those that every call can answer. */
  errors: readonly ErrorCode[];
}

/** An answer in JSON. */
export function json(description: string, schema: SchemaRef, example?: unknown): Answer {
  return { description, content: { 'application/json': { schema, ...(example === undefined ? {} : { example }) } } };
}

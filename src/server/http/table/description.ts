import type { ErrorCode } from '../../model/index.js';

/** The groups of operations, in order. */
export const TAGS = [
  { name: 'Sessions', description: 'Starting, listing, reading and ending sessions. With the API key.' },
  { name: 'Usage', description: 'How long sessions have run.' },
  { name: 'Tenants', description: 'All that belongs to a `tenant_id`.' },
  { name: 'Profiles', description: 'What sessions have saved for later ones.' },
  {
    name: 'Session address',
    description: 'What a web client opens. The stream itself is a WebSocket at /s/{session_id}/stream.',
  },
  {
    name: 'Session calls',
    description: 'Calls of integrators to a session, with its admin token. Allowed from web pages of any origin.',
  },
  {
    name: 'Session files',
    description: "File transfer between viewers and the session, with a viewer's ticket or the admin token.",
  },
  { name: 'Service', description: 'Health, metrics and this description.' },
] as const;

/** A place in schemas/ (`answers.json#/$defs/session`), or an inline schema. */
export type SchemaRef = string | { readonly [keyword: string]: unknown };

/** The content of a body, by media type. */
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

/** The public documentation of an operation. */
export interface Description {
  /** Name of the operation, unique. */
  id: string;
  tag: (typeof TAGS)[number]['name'];
  summary: string;
  description?: string;
  parameters?: readonly Parameter[];
  answers: Readonly<Record<number, Answer>>;
  /** In addition to those that every operation can return. */
  errors: readonly ErrorCode[];
}

/** An answer in JSON. */
export function json(description: string, schema: SchemaRef, example?: unknown): Answer {
  return { description, content: { 'application/json': { schema, ...(example === undefined ? {} : { example }) } } };
}

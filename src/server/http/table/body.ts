import type { Request, Response } from 'express';
import type { Problem } from '../../../protocol/validation.js';
import { readJson } from '../bodies/json.js';
import { requestValidator } from '../bodies/validate.js';
import type { Content } from './description.js';

/** A request's body: how it is documented, and how it is read. */
export interface Body<T> {
  description?: string;
  required: boolean;
  content: Content;
  /** Whether clients may prefer that unknown fields are ignored. */
  lenient?: boolean;
  /** Reads and validates what the caller sent. @throws HttpError */
  read(request: Request, response: Response): Promise<T>;
}

interface JsonOptions<T> {
  required: boolean;
  example: unknown;
  /** Checks what the schema cannot express. */
  more?: (value: T) => Problem[];
}

/** A JSON body with a schema; a missing or empty one is `{}`. */
export function jsonBody<T>(schema: string, { required, example, more }: JsonOptions<T>): Body<T> {
  const validate = requestValidator<T>(schema, 'invalid_body', more);
  return {
    required,
    lenient: true,
    content: { 'application/json': { schema, example } },
    read: async (request, response) => validate(request, await readJson(request, response, () => ({}))),
  };
}

/** The arguments of a call, which validates them itself, as it does those from viewers' sockets. */
export const argumentsBody = (schema: string, example: readonly unknown[]): Body<unknown> => ({
  required: true,
  content: { 'application/json': { schema, example } },
  read: (request, response) => readJson(request, response, () => []),
});

/** A body that the handler streams through. */
export const streamedBody = (content: Content, description?: string): Body<undefined> => ({
  ...(description === undefined ? {} : { description }),
  required: true,
  content,
  read: async () => undefined,
});

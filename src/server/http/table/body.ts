import type { Request, Response } from 'express';
import type { Problem } from '../../../protocol/validation.js';
import { readJson } from '../bodies/json.js';
import { requestValidator } from '../bodies/validate.js';
import type { Content } from './description.js';

/** A request's body: what is told of it, and how it is read. */
export interface Body<T> {
  description?: string;
  required: boolean;
  content: Content;
  /** Reads and checks what the caller sent. @throws HttpError */
  read(request: Request, response: Response): Promise<T>;
}

interface JsonOptions<T> {
  required: boolean;
  example: unknown;
  /** Finds what the schema cannot say. */
  more?: (value: T) => Problem[];
}

/** A body of JSON by a schema; none, or an empty one, is `{}`. */
export function jsonBody<T>(schema: string, { required, example, more }: JsonOptions<T>): Body<T> {
  const validate = requestValidator<T>(schema, 'invalid_body', more);
  return {
    required,
    content: { 'application/json': { schema, example } },
    read: async (request, response) => validate(request, await readJson(request, response, () => ({}))),
  };
}

/** The arguments of a call, which checks them itself, as it does those that come by a viewer's socket. */
export const argumentsBody = (schema: string, example: readonly unknown[]): Body<unknown> => ({
  required: true,
  content: { 'application/json': { schema, example } },
  read: (request, response) => readJson(request, response, () => []),
});

/** A body that the handler passes on as it comes. */
export const streamedBody = (content: Content, description?: string): Body<undefined> => ({
  ...(description === undefined ? {} : { description }),
  required: true,
  content,
  read: async () => undefined,
});

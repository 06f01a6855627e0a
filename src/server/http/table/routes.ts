import { Router, type Request, type RequestHandler } from 'express';
import { requestValidator } from '../bodies/validate.js';
import type { Credential } from '../credentials/credential.js';
import type { Guard } from '../credentials/guards.js';
import type { Parts } from '../parts.js';
import { expressPath, inOrder } from './match.js';
import type { Operation } from './operation.js';

/** The routes of all operations: each authenticates its caller, validates the request and calls the handler. */
export function routes(
  operations: readonly Operation[],
  parts: Parts,
  guards: Readonly<Record<Credential, Guard>>,
): Router {
  const router = Router();
  for (const operation of inOrder(operations)) {
    const guard = guards[operation.open?.(parts) === true ? 'none' : operation.credential];
    router[operation.method](expressPath(operation.path), handlerOf(operation, parts, guard));
  }
  return router;
}

function handlerOf(operation: Operation, parts: Parts, guard: Guard): RequestHandler<Record<string, string>> {
  const { body, need, query } = operation;
  const validateQuery = query === undefined ? null : requestValidator(query, 'invalid_query');
  const handle = operation.handle(parts);
  return async (request, response) => {
    const session = await guard(request, request.params['session_id'] ?? '', need);
    await handle({
      session,
      query: validateQuery?.(request, withoutTicket(operation, request.query)),
      body: await body?.read(request, response),
      request,
      response,
    });
  };
}

/** The query without credentials. */
function withoutTicket({ security }: Operation, query: Request['query']): Request['query'] {
  if (!security.includes('ticket')) return query;
  const { ticket: _, ...rest } = query;
  return rest;
}

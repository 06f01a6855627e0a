import type { Request, RequestHandler, Response } from 'express';
import { HttpError } from '../../model/index.js';
import { LENIENT, prefersLenient, requestValidator } from '../bodies/validate.js';
import type { Credential } from '../credentials/credential.js';
import type { Guard } from '../credentials/guards.js';
import type { OperationContext } from '../context.js';
import { honoursPrefer, type Operation } from './operation.js';

/** Handles the requests that match an operation: authenticates the caller, validates the request, calls the handler. */
export function routes(
  operations: readonly Operation[],
  context: OperationContext,
  guards: Readonly<Record<Credential, Guard>>,
): RequestHandler {
  const handlers = new Map(
    operations.map(operation => {
      const guard = guards[operation.open?.(context) === true ? 'none' : operation.credential];
      return [operation, handlerOf(operation, context, guard)];
    }),
  );
  return async (request, response, next) => {
    const { match } = request;
    if (match === null) return next();
    if (!match.wellFormed) throw new HttpError('bad_request');
    request.params = match.params;
    await handlers.get(match.operation)?.(request as Request<Record<string, string>>, response);
  };
}

function handlerOf(operation: Operation, context: OperationContext, guard: Guard) {
  const { body, need, query } = operation;
  const validateQuery = query === undefined ? null : requestValidator(query, 'invalid_query');
  const handle = operation.handle(context);
  return async (request: Request<Record<string, string>>, response: Response): Promise<void> => {
    if (honoursPrefer(operation) && prefersLenient(request)) response.set('preference-applied', LENIENT);
    const session = await guard(request, request.params['session_id'] ?? '', need);
    await handle({
      session,
      query: validateQuery?.(request, givenQuery(operation, request.query)),
      body: await body?.read(request, response),
      request,
      response,
    });
  };
}

/** The query without credentials, and without what is empty, which many clients send for what they do not have. */
function givenQuery({ security }: Operation, query: Request['query']): Request['query'] {
  const isGiven = (name: string) => query[name] !== '' && (name !== 'ticket' || !security.includes('ticket'));
  return Object.fromEntries(Object.entries(query).filter(([name]) => isGiven(name)));
}

import { actionOfCall, detailsOf } from '../../../audit/index.js';
import { isCallName } from '../../../../protocol/calls.js';
import { ADMINISTRATOR } from '../../../model/index.js';
import { note } from '../../middleware/audit.js';
import { argumentsBody } from '../../table/body.js';
import type { Description, Parameter } from '../../table/description.js';
import { operation, type Operation } from '../../table/operation.js';
import { ADMIN_ERRORS, JSON_ERRORS, SESSION_ID } from '../common.js';

/** A user for examples. */
export const USER = '0b6e1c1e-6f0b-4b52-9f0e-5d6a5a2c7b11';

/** A call that viewers can also make over their sockets, subject to their roles. */
interface Call extends Pick<Description, 'summary' | 'description' | 'errors'> {
  /** Its name; `{method}` in it stands for a path parameter. */
  method: string;
  /** What `{method}` may be. */
  methods?: Parameter;
  /** Name of the operation, if it differs from the call's. */
  id?: string;
  /** Schema of the arguments in session-calls.json. */
  args: string;
  example: readonly unknown[];
  answer: Description['answers'][number];
}

/** Makes an operation of a call: the body holds the arguments, the answer is the call's value. */
export function call(declared: Call): Operation {
  const { method, methods, id = method, summary, description, args, example, answer, errors } = declared;
  const named = (params: { [name: string]: unknown }) => method.replace('{method}', String(params['method']));
  return operation({
    method: 'post',
    path: `/s/{session_id}/${method}`,
    id,
    tag: 'Session calls',
    summary,
    ...(description === undefined ? {} : { description }),
    credential: 'admin',
    parameters: methods === undefined ? [SESSION_ID] : [SESSION_ID, methods],
    body: argumentsBody(`session-calls.json#/$defs/${args}`, example),
    answers: { 200: answer },
    errors: [...JSON_ERRORS, ...ADMIN_ERRORS, ...errors],
    // An unknown call name could be any text.
    audit: params => (isCallName(named(params)) ? actionOfCall(named(params)) : { event: 'call' }),
    handle:
      ({ sessions }) =>
      async ({ session, body, request, response }) => {
        const method = named(request.params);
        const value = (await sessions.connection(session.id).room.perform(ADMINISTRATOR, method, body)) ?? null;
        note(response, detailsOf(method, body));
        response.set('cache-control', 'no-store').json(value);
      },
  });
}

import type { SessionCreated, TokensRenewal } from '../../../protocol/generated/schemas.js';
import { HttpError } from '../../model/index.js';
import { jsonBody } from '../table/body.js';
import { json } from '../table/description.js';
import { operation } from '../table/operation.js';
import { ADMIN_ERRORS, JSON_ERRORS } from './common.js';
import { SESSION_ID } from './common.js';

const PURPOSES = ['embed', 'admin'] as const;

/** Both if the body names none, otherwise those it names. */
const wanted = (body: TokensRenewal) => {
  const isNamed = PURPOSES.some(purpose => body[purpose] !== undefined);
  return PURPOSES.filter(purpose => (isNamed ? body[purpose] === true : true));
};

/** Replaces a session's tokens, which become invalid. */
export const tokens = [
  operation({
    method: 'post',
    path: '/s/{session_id}/tokens',
    id: 'renewTokens',
    tag: 'Session calls',
    summary: 'Revoke and renew tokens',
    description:
      'Replaces the tokens in force, which become invalid at once. Viewers who ' +
      'joined with a token that is renewed, or have presented a renewed admin token, are ' +
      'disconnected with `unauthorized` (4401) and do not reconnect; `keep_viewers` lets them stay. The ' +
      'answer has both tokens in force, like that of a start.',
    credential: 'admin',
    parameters: [SESSION_ID],
    body: jsonBody<TokensRenewal>('session-calls.json#/$defs/tokens', {
      required: false,
      example: { embed: true },
      more: body =>
        wanted(body).length > 0
          ? []
          : [{ path: '/embed', message: 'or /admin must be true; without both, both tokens are renewed' }],
    }),
    answers: {
      200: json('The tokens in force.', 'answers.json#/$defs/created', {
        session_id: 'pJ0cCqVUQmCKvYfUTxcNrg',
        embed_url: 'https://berth.example.com/s/pJ0cCqVUQmCKvYfUTxcNrg?token=1.Pzx4…',
        admin_token: '8Y9w…',
      }),
    },
    errors: [...JSON_ERRORS, ...ADMIN_ERRORS],
    audit: 'tokens.renew',
    handle:
      ({ sessions, addresses }) =>
      async ({ session: { id }, body, request, response }) => {
        const renewal = { purposes: wanted(body), keepViewers: body.keep_viewers ?? false };
        const session = await sessions.renewTokens(id, renewal);
        if (session === null) throw new HttpError('agent_lost');
        response.set('cache-control', 'no-store').json(addresses.of(session, request) satisfies SessionCreated);
      },
  }),
];

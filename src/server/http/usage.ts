import { Router } from 'express';
import type { Usage, UsageQuery } from '../../protocol/generated/schemas.js';
import { summarize } from '../model/index.js';
import type { Store } from '../store/index.js';
import { requestValidator } from './validate.js';

const validate = requestValidator<UsageQuery>('queries.json#/$defs/usage', 'invalid_query');

/** `GET /v0/vm/usage`: running time per UTC day or month, sessions that still run counted up to now. */
export function usage(store: Store): Router {
  return Router().get('/v0/vm/usage', async (request, response) => {
    const query = validate(request, request.query);
    const filter = { tenantId: query.tenant_id, from: utcDate(query.from), to: utcDate(query.to) };
    const days = await store.usageUntil(Date.now(), filter);
    const answer: Usage = { usage: summarize(days, query.period ?? 'day') };
    response.json(answer);
  });
}

function utcDate(text: string | undefined): string | undefined {
  return text === undefined ? undefined : new Date(text).toISOString().slice(0, 10);
}

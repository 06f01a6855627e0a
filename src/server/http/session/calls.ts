import { Router, type RequestHandler } from 'express';
import { callMethods, type Hub } from '../../participants/index.js';
import { detailsOf } from '../../audit/index.js';
import { note } from '../audit.js';
import { readJson } from '../body.js';
import type { SessionGuard } from './guard.js';

const TABS = 'tabs.';

/** Paths of calls: those of tabs share one. */
const PATHS: readonly string[] = [
  `/s/:id/${TABS}:method`,
  ...callMethods.filter(method => !method.startsWith(TABS)).map(method => `/s/:id/${method}`),
];

/** `POST /s/{id}/<call>`, such as `tabs.update`: the body holds the arguments, the answer is the call's value. */
export function sessionCalls(hub: Hub, guard: SessionGuard): Router {
  const perform: RequestHandler<{ id: string }> = async (request, response) => {
    const { id } = request.params;
    const method = request.path.slice(`/s/${id}/`.length);
    const value = (await hub.perform(id, method, request.body)) ?? null;
    note(response, detailsOf(method, request.body));
    response.set('cache-control', 'no-store').json(value);
  };
  const router = Router();
  for (const path of PATHS) router.post(path, guard.required, ...readJson(() => []), perform);
  return router;
}

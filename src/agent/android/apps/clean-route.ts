import { RouteError, type Route } from '../../link/routes.js';

/**
 * `POST /clean`: makes a pool's device what it was before the session, when that has ended; 503 `agent_failed` if the
 * device does not do it. Requests at the same time, as of two replicas, share one cleaning.
 */
export function cleanRoute(clean: () => Promise<void>): Route {
  let cleaning: Promise<void> | undefined;
  return {
    method: 'POST',
    path: '/clean',
    async handle({ response }) {
      try {
        await (cleaning ??= clean().finally(() => (cleaning = undefined)));
      } catch (error) {
        throw new RouteError(503, 'agent_failed', `The device was not cleaned: ${(error as Error).message}.`);
      }
      response.writeHead(204).end();
    },
  };
}

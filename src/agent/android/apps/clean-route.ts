import { RouteError, type Route } from '../../link/routes.js';

/**
 * `POST /clean`: makes a pool's device what it was before the session, when that has ended. `clean` returns undefined
 * while there is no device; 503 `agent_failed` then, and if the device does not do it.
 */
export function cleanRoute(clean: () => Promise<void> | undefined): Route {
  return {
    method: 'POST',
    path: '/clean',
    async handle({ response }) {
      try {
        const cleaned = clean();
        if (cleaned === undefined) throw new Error('it is not connected');
        await cleaned;
      } catch (error) {
        throw new RouteError(503, 'agent_failed', `The device was not cleaned: ${(error as Error).message}.`);
      }
      response.writeHead(204).end();
    },
  };
}

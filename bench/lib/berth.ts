import { startService, type Service } from '../../test/fixtures/services/service.js';
import { namesOf } from '../../src/server/engines/docker/names.js';
import type { Scene } from './chromium.js';
import type { Scope } from './scope.js';

/** A running Berth session. */
export interface BerthSession {
  id: string;
  container: string;
  /** Address of the player page, with its token. */
  url: string;
}

/**
 * Starts the built service, without a rate limit, and by default without a warm pool or games from this machine; it is
 * stopped with the scope.
 */
export function startBerth(
  scope: Scope,
  { warm = 0, browser = true, games = false, most = 20 } = {},
): Promise<Service> {
  const env = {
    BERTH_RATE_LIMIT: '0',
    BERTH_LOG_LEVEL: 'warn',
    BERTH_WARM_POOL: String(warm),
    BERTH_WARM_BROWSER: String(browser),
    BERTH_MAX_SESSIONS: String(most),
    BERTH_ROM_ALLOW_PRIVATE: String(games),
  };
  return startService(scope, env);
}

/** Starts a session that shows a page full-screen, at 60 frames per second. */
export function startSession(service: Service, { url, width, height }: Scene): Promise<BerthSession> {
  return start(service, '/v0/vm', { start_url: url, kiosk: true, width, height, max_area: width * height, fps: 60 });
}

/** Starts a console with the fields of `POST /console`. */
export const startConsole = (service: Service, fields: object): Promise<BerthSession> =>
  start(service, '/console', fields);

async function start(service: Service, path: string, body: object): Promise<BerthSession> {
  const { status, body: answer } = await service.api('POST', path, body);
  if (status !== 201) throw new Error(`no session: ${status} ${JSON.stringify(answer)}`);
  const { session_id: id, embed_url } = answer as { session_id: string; embed_url: string };
  return { id, container: namesOf(service.instance).container(id), url: embed_url };
}

/** Ends a session. */
export async function endSession(service: Service, { id }: BerthSession): Promise<void> {
  await service.api('DELETE', `/v0/vm/${id}`);
}

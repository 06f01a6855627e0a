import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from 'pino';
import type { Config } from './config.js';
import { createFleet } from './engines/create.js';
import { packageRoot } from './package-root.js';
import { Store } from './store/index.js';

/** Ends all sessions and removes whatever the service made in its engines: containers, networks, rules. */
export async function teardown(config: Config, log: Logger): Promise<void> {
  const fleet = createFleet(config, await readFile(join(packageRoot(), 'images/seccomp.json'), 'utf8'));
  await endSessions(config);
  for (const { engine, name } of fleet.members) {
    await engine.teardown();
    log.info({ engine: name }, 'engine cleared');
  }
}

/** The database may not exist yet; it is not made for this. */
async function endSessions({ database }: Config): Promise<void> {
  if (database.client === 'sqlite' && !existsSync(database.filename)) return;
  const store = await Store.open(database);
  try {
    for (const session of await store.sessions.live())
      await store.end(session.id, { reason: 'request' }, Date.now(), () => null);
  } finally {
    await store.close();
  }
}

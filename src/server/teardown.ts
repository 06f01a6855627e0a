import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from 'pino';
import type { Config } from './config.js';
import { loadCredentials } from './credentials.js';
import { createFleet } from './engines/create.js';
import type { FoundContainer } from './engines/engine.js';
import type { Fleet } from './engines/fleet.js';
import { packageRoot } from './package-root.js';
import { createProfiles } from './profiles/create.js';
import { endingOf } from './sessions/crash.js';
import { timeoutEvent } from './sessions/events.js';
import { ProfileKeeper } from './sessions/profile-keeper.js';
import { Tokens } from './sessions/tokens.js';
import { Store } from './store/index.js';

/**
 * Ends all sessions, saves their profiles, and removes whatever the service made in its engines: containers,
 * networks, rules.
 */
export async function teardown(config: Config, log: Logger): Promise<void> {
  const fleet = createFleet(config, await readFile(join(packageRoot(), 'images/seccomp.json'), 'utf8'));
  await endSessions(config, fleet, log);
  for (const { engine, name } of fleet.members) {
    await engine.teardown();
    log.info({ engine: name }, 'engine cleared');
  }
}

/** The database may not exist yet; it is not made for this. */
async function endSessions(config: Config, fleet: Fleet, log: Logger): Promise<void> {
  const { database } = config;
  if (database.client === 'sqlite' && !existsSync(database.filename)) return;
  const { secret, replica } = await loadCredentials(config);
  const store = await Store.open(database);
  const profiles = createProfiles(config, secret, store.profiles, { saved: () => {}, failed: () => {} });
  const keeper = new ProfileKeeper({ profiles, store: store.sessions, fleet, tokens: new Tokens(secret), log });
  try {
    const containers = await containersIn(fleet);
    for (const session of await store.sessions.live()) {
      const container = containers.get(session.id);
      const lives = (container?.endpoint ?? null) !== null || session.state.name === 'starting';
      const isOver = !lives && fleet.at(session.region) !== null;
      const ending = isOver ? endingOf(session, container?.exit, Date.now()) : { reason: 'request' as const };
      await store.end(session.id, ending, Date.now(), timeoutEvent(ending), replica);
    }
    const unsaved = await store.sessions.unsaved(replica);
    await Promise.all(unsaved.map(session => keeper.keep(session)));
  } finally {
    await store.close();
  }
}

async function containersIn({ members }: Fleet): Promise<Map<string, FoundContainer>> {
  const lists = await Promise.all(members.map(({ engine }) => engine.list()));
  return new Map(lists.flat().map(found => [found.sessionId, found]));
}

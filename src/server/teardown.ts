import { existsSync } from 'node:fs';
import type { Logger } from 'pino';
import { type Config, loadCredentials } from './config/index.js';
import { createFleet, type Fleet, type FoundContainer } from './engines/index.js';
import { MachineClock } from './machine-clock.js';
import { createProfiles } from './profiles/index.js';
import type { Keyring } from './secrets/index.js';
import { endingOf, isOurs, ownersOf, ProfileSaver, timeoutEvent } from './sessions/index.js';
import { Tokens } from './model/index.js';
import { Store } from './store/index.js';
import { clock } from './lib/clock.js';

/**
 * Ends all sessions, saves their profiles, and removes everything the service created in its engines: containers,
 * networks, rules. Containers of services with the same instance and another store are kept unless `all` is set, and
 * with them the network and rules.
 */
export async function teardown(config: Config, log: Logger, { all = false } = {}): Promise<void> {
  const credentials = hasStore(config) ? await loadCredentials(config) : null;
  const store = credentials === null ? null : await Store.open(config.database, credentials.keyring);
  try {
    const fleet = await createFleet(config, store?.id ?? null);
    const containers = await containersIn(fleet);
    const ours = new Set(all ? containers.map(({ sessionId }) => sessionId) : []);
    if (store !== null && credentials !== null) {
      const { replica, keyring } = credentials;
      await new MachineClock(config.dataDir, store, log).resume();
      const knows = async (id: string) => (await store.sessions.find(id)) !== null;
      for (const found of containers)
        if (await isOurs(found, { store: store.id, replica, knows })) ours.add(found.sessionId);
      await endSessions({ config, fleet, store, containers, replica, keyring, log });
    }
    for (const { engine, name } of fleet.members) {
      const left = await engine.teardown(found => ours.has(found.sessionId) || (found.store ?? '') === store?.id);
      if (left.length === 0) log.info({ engine: name }, 'engine cleared');
      else log.warn({ engine: name, containersByStore: ownersOf(left) }, LEFT);
    }
  } finally {
    await store?.close();
  }
}

const LEFT =
  'own containers removed; those of other databases are kept, and with them network and rules: ' +
  'run teardown there, or "teardown --all" here';

/** The database may not exist yet; it is not created for this. */
const hasStore = ({ database }: Config) => database.client !== 'sqlite' || existsSync(database.filename);

interface EndOptions {
  config: Config;
  fleet: Fleet;
  store: Store;
  containers: readonly FoundContainer[];
  replica: string;
  keyring: Keyring;
  log: Logger;
}

async function endSessions({ config, fleet, store, containers, replica, keyring, log }: EndOptions): Promise<void> {
  const profiles = createProfiles(config, keyring, store.profiles, { saved: () => {}, failed: () => {} });
  const profileSaver = new ProfileSaver({ profiles, store: store.sessions, fleet, tokens: new Tokens(keyring), log });
  for (const session of await store.sessions.live()) {
    const container = containers.find(({ sessionId }) => sessionId === session.id);
    const lives = (container?.endpoint ?? null) !== null || session.state.type === 'starting';
    const isOver = !lives && fleet.at(session.region) !== null;
    const ending = isOver ? endingOf(session, container?.exit, clock.now()) : { reason: 'request' as const };
    await store.end(session.id, ending, clock.now(), timeoutEvent(ending), replica);
  }
  const unsaved = await store.sessions.unsaved(replica);
  await Promise.all(unsaved.map(session => profileSaver.save(session)));
}

async function containersIn({ members }: Fleet): Promise<FoundContainer[]> {
  return (await Promise.all(members.map(({ engine }) => engine.list()))).flat();
}

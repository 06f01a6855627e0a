import { setTimeout as sleep } from 'node:timers/promises';
import type { Profiles } from '../profiles/index.js';
import type { SessionStore } from '../store/sessions.js';
import { StartError } from './errors.js';
import type { ProfileOrder, ProfileReference } from './kinds/profile.js';

/** How often a profile that is being saved is looked at. */
const POLL_MS = 200;

/**
 * Checks that the profiles which a start names exist; waits for one that is still being saved.
 * @throws StartError
 */
export async function checkProfiles(
  { load, save }: ProfileOrder,
  profiles: Profiles,
  store: SessionStore,
  deadline: number,
): Promise<void> {
  if (load !== null) {
    await settled(load, store, deadline);
    if (!(await profiles.use(load.id))) throw unknown(load);
  }
  if (save === null || save === 'new' || save.id === load?.id) return;
  // A session that runs, or has not saved anything, has a profile to overwrite all the same.
  if (!(await profiles.has(save.id)) && (await store.find(save.id)) === null) throw unknown(save);
}

async function settled(profile: ProfileReference, store: SessionStore, deadline: number): Promise<void> {
  while (await store.isProfilePending(profile.id)) {
    if (Date.now() > deadline) throw new StartError('start_timeout', 'The profile is still being saved; try again.');
    await sleep(POLL_MS);
  }
}

function unknown({ id, path }: ProfileReference): StartError {
  const message = `There is no profile with the ID ${id}.`;
  return new StartError('profile_not_found', message, undefined, path);
}

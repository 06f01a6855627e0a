import { setTimeout as sleep } from 'node:timers/promises';
import type { Profiles } from '../../profiles/index.js';
import type { SessionStore } from '../../store/index.js';
import {
  kindOf,
  type ProfileKind,
  profileTraits,
  type ProfileSpec,
  type ProfileReference,
  StartError,
} from '../../model/index.js';
import { clock } from '../../lib/clock.js';

/** Polling interval for a profile that is being saved. */
const POLL_MS = 200;

/**
 * Checks that the profiles named by a start exist, and that they match its kind of session; waits for one that is still
 * being saved.
 * @throws StartError
 */
export async function checkProfiles(
  { load, save }: ProfileSpec,
  kind: ProfileKind,
  profiles: Profiles,
  store: SessionStore,
  deadline: number,
): Promise<void> {
  if (load !== null) {
    await settled(load, store, deadline);
    check(load, kind, await profiles.kindOf(load.id));
    if (!(await profiles.use(load.id))) throw unknown(load);
  }
  if (save === null || save === 'new' || save.id === load?.id) return;
  // Even a session that is running, or has not saved anything yet, reserves its profile ID for overwriting.
  const session = await store.find(save.id);
  check(save, kind, session === null ? await profiles.kindOf(save.id) : kindOf(session.launch.kind).profile.kind);
}

function check(profile: ProfileReference, wanted: ProfileKind, found: ProfileKind | null): void {
  if (found === null) throw unknown(profile);
  if (found === wanted) return;
  const message = `The profile is that of ${profileTraits(found).owner}.`;
  throw new StartError('profile_wrong_kind', message, undefined, profile.path);
}

async function settled(profile: ProfileReference, store: SessionStore, deadline: number): Promise<void> {
  while (await store.isProfilePending(profile.id)) {
    if (clock.now() > deadline) throw new StartError('start_timeout', 'The profile is still being saved; try again.');
    await sleep(POLL_MS);
  }
}

function unknown({ id, path }: ProfileReference): StartError {
  const message = `There is no profile with the ID ${id}.`;
  return new StartError('profile_not_found', message, undefined, path);
}

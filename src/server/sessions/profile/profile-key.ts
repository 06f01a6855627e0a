import { kindOf, type Session } from '../../model/index.js';
import type { ProfileKey } from '../../store/index.js';

/** What a session's profile is saved as. */
export const keyOf = ({ launch }: Session, save: string): ProfileKey => ({
  id: save,
  kind: kindOf(launch.kind).profile.kind,
});

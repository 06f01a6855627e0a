import type { ProfileOptions, ProfileRequest } from '../../../protocol/generated/schemas.js';

/** A profile that a request names, and in which field. */
export interface ProfileReference {
  id: string;
  path: string;
}

/** The profiles that a start request wants to be loaded and saved. */
export interface ProfileSpec {
  load: ProfileReference | null;
  /** `new`: saved under the session's own ID. */
  save: ProfileReference | 'new' | null;
}

/** The launch's profile options, if it needs any. */
export function profileOptions({ load, save }: ProfileSpec): { profile?: ProfileOptions } {
  return load === null && save === null ? {} : { profile: { load: load !== null, save: save !== null } };
}

/** Interprets the field `profile` of a request. */
export function profileSpec(profile: ProfileRequest | undefined): ProfileSpec {
  switch (typeof profile) {
    case 'undefined':
      return { load: null, save: null };
    case 'boolean':
      return { load: null, save: profile ? 'new' : null };
    case 'string':
      return { load: { id: profile, path: '/profile' }, save: { id: profile, path: '/profile' } };
    default:
      return { load: reference(profile.load, '/profile/load'), save: saving(profile.save) };
  }
}

function saving(save: boolean | string | undefined): ProfileSpec['save'] {
  if (typeof save === 'string') return reference(save, '/profile/save');
  return save === true ? 'new' : null;
}

const reference = (id: string | undefined, path: string) => (id === undefined ? null : { id, path });

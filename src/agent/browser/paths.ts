/** Chromium's own binary: the distribution's wrapper script adds start-up time and flags. */
export const CHROMIUM = '/usr/lib/chromium/chromium';

export const PROFILE_FOLDER = '/home/berth/profile';

/** The session's only profile, in Chromium's sense. */
export const DEFAULT_PROFILE = 'Default';
export const PREFERENCES = `${PROFILE_FOLDER}/${DEFAULT_PROFILE}/Preferences`;
export const DOWNLOAD_FOLDER = '/tmp/downloads';
export const UPLOAD_FOLDER = '/tmp/uploads';

/** /etc/chromium/policies/managed is a link to it. */
export const POLICY_FOLDER = '/run/berth/policies';

/** The image's extensions, one folder each. */
export const BUILT_IN_EXTENSIONS = '/opt/berth/extensions';

/** The extensions that the session's browser loads, one folder each. Chromium writes to them. */
export const EXTENSION_FOLDER = '/home/berth/extensions';

/** Chromium's own binary: the distribution's wrapper script costs start-up time and adds flags. */
export const CHROMIUM = '/usr/lib/chromium/chromium';

export const PROFILE_FOLDER = '/home/berth/profile';
export const DOWNLOAD_FOLDER = '/tmp/downloads';

/** /etc/chromium/policies/managed is a link to it. */
export const POLICY_FOLDER = '/run/berth/policies';

/** An unpacked extension, loaded for the preset `chrome_android`. */
export const ANDROID_EXTENSION_FOLDER = '/run/berth/android-preset';

/**
 * The preset `chrome_android`: a reduced user agent string has the same text on every phone but for the
 * major version, which is the running browser's.
 */
export const ANDROID_FLAGS = ['--use-mobile-user-agent', '--touch-events=enabled'];

/** The user agent string of Chrome on Android at this major version. */
export const androidUserAgent = (major: number) =>
  'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) ' +
  `Chrome/${major}.0.0.0 Mobile Safari/537.36`;

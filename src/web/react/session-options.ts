import { safely } from '../lib/safely.js';
import type { BerthOptions, CommonSession } from '../sdk/index.js';

/** The options of the SDK's `mount`: all but `timeout`, which has no meaning there. */
export type SessionOptions = Omit<BerthOptions, 'timeout'>;

/** Options that change while a session is shown, and what they are where they are left out. */
const DEFAULTS = {
  adminToken: undefined,
  volume: 1,
  videoPaused: false,
  playoutDelay: 0,
  delegateKeyboard: true,
  disableInput: false,
  showCursors: false,
} as const satisfies Partial<Record<keyof SessionOptions, unknown>>;

type Setting = keyof typeof DEFAULTS;

/**
 * What the others are: `fixed` while a session is shown; a `callback`; or one whose `presence` alone changes what is sent
 * or drawn, so that it is fixed whether there is one.
 */
const OTHERS: Readonly<Record<Exclude<keyof SessionOptions, Setting>, 'fixed' | 'callback' | 'presence'>> = {
  touchPad: 'fixed',
  name: 'fixed',
  lang: 'fixed',
  webhookUserdata: 'fixed',
  persistScreen: 'fixed',
  frameCb: 'presence',
  videoTrackCb: 'presence',
  audioTrackCb: 'presence',
  onFileChooser: 'presence',
  onKeyboardLeave: 'presence',
  onCursor: 'callback',
  onAccessChange: 'callback',
  onPrivacyChange: 'callback',
  onUsers: 'callback',
  onUserJoined: 'callback',
  onUserLeft: 'callback',
  onUserChanged: 'callback',
  onSeats: 'callback',
  onGameState: 'callback',
  onWindows: 'callback',
  onDisconnect: 'callback',
  onDownload: 'callback',
  onDialogs: 'callback',
  onNotice: 'callback',
  onCloseWarning: 'callback',
  onResize: 'callback',
  onError: 'callback',
  onConnectionStateChange: 'callback',
};

const NAMES = Object.keys(OTHERS) as (keyof typeof OTHERS)[];

/** All that a session keeps while it is shown, as a text: where it differs, another one must be mounted. */
export function identity(embedURL: string, options: SessionOptions): string {
  const kept = NAMES.filter(name => OTHERS[name] !== 'callback').map(name =>
    OTHERS[name] === 'fixed' ? options[name] : options[name] !== undefined,
  );
  return JSON.stringify([embedURL, ...kept]);
}

/** The options for `mount`. Callbacks are those that `latest` has when they are called. */
export function mountOptions(latest: () => SessionOptions): SessionOptions {
  const options = latest();
  const callbacks = NAMES.filter(
    name => OTHERS[name] === 'callback' || (OTHERS[name] === 'presence' && options[name] !== undefined),
  ).map(name => [
    name,
    (event: never) => safely(() => (latest()[name] as ((event: never) => void) | undefined)?.(event)),
  ]);
  return { ...options, ...(Object.fromEntries(callbacks) as SessionOptions) };
}

/** Sets what differs from before on a session that is shown. @throws TypeError that names what is invalid */
export function applySettings(session: CommonSession, before: SessionOptions, now: SessionOptions): void {
  for (const name of Object.keys(DEFAULTS) as Setting[]) {
    if (now[name] !== before[name]) Object.assign(session, { [name]: now[name] ?? DEFAULTS[name] });
  }
}

import type { AndroidKeyName, AndroidSession } from '../../sdk/index.js';
import { attempt, saveScreenshot } from './actions.js';
import type { Bar } from './bar.js';
import { ICONS } from './icons.js';
import { say } from '../../languages/page.js';

type BarKey = Extract<AndroidKeyName, 'back' | 'home' | 'recents' | 'power' | 'volume_down' | 'volume_up'>;

/** The device's own keys, as the bar offers them; paths of their icons, 24 by 24 units. */
const KEYS: readonly (readonly [key: BarKey, path: string])[] = [
  ['back', 'M17 4v16L5 12 17 4zm-2 3.7L8.6 12l6.4 4.3V7.7z'],
  ['home', 'M12 4a8 8 0 1 1 0 16 8 8 0 0 1 0-16zm0 2a6 6 0 1 0 0 12 6 6 0 0 0 0-12z'],
  ['recents', 'M5 5h14v14H5V5zm2 2v10h10V7H7z'],
  ['power', 'M11 3h2v10h-2V3zm6.4 3A8 8 0 1 1 6.6 6L8 7.4a6 6 0 1 0 8 0L17.4 6z'],
  ['volume_down', 'M4 9v6h4l5 5V4L8 9H4zm12 2h6v2h-6v-2z'],
  ['volume_up', 'M4 9v6h4l5 5V4L8 9H4zm12 2h2V9h2v2h2v2h-2v2h-2v-2h-2v-2z'],
];

const ROTATE_ICON =
  'M10 2 3 9l7 7 7-7-7-7zm0 2.8L14.2 9 10 13.2 5.8 9 10 4.8zM19 10h2a9 9 0 0 1-9 9v3l-4-4 4-4v3a7 7 0 0 0 7-7z';

/** Adds controls for a device that runs Android to the bar. @param show displays a notice to the viewer */
export function addAndroidTools(session: AndroidSession, bar: Bar, show: (note: HTMLElement) => void): void {
  const add = (name: string, path: string, call: () => Promise<unknown>) =>
    bar.add(name, path, () => void attempt(session, call, show));
  for (const [key, path] of KEYS) add(say(`key_${key}`), path, () => session.android.key(key));
  add(say('rotate'), ROTATE_ICON, () => session.android.rotate());
  add(say('screenshot'), ICONS.picture, () => saveScreenshot(session));
}

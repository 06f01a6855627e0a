import type { Launch, TouchGestures, Welcome } from '../../../protocol/generated/schemas.js';
import type { Viewer } from '../viewer/viewer.js';

/** What a viewer is told first of a session. */
export function welcome({ userId, ticket }: Viewer, launch: Launch): Welcome {
  const { kind, display } = launch;
  return { type: 'welcome', user_id: userId, kind, hide_cursor: display.hide_cursor, touch_gestures: gesturesOf(launch), ticket };
}

/** Gestures of touch screens that a session understands. What is a phone is touched, unless it is said not to be. */
export function gesturesOf(launch: Launch): TouchGestures {
  if (launch.kind !== 'chromium') return {};
  const { touch_gestures = {}, user_agent } = launch.chromium;
  return user_agent === 'chrome_android' ? { pinch: true, ...touch_gestures } : touch_gestures;
}

import t from 'tap';
import type { ChromiumOptions, Launch } from '../../src/protocol/generated/schemas.js';
import { gesturesOf } from '../../src/server/participants/join/welcome.js';

const launchOf = (chromium: Partial<ChromiumOptions>): Launch => ({
  type: 'launch',
  kind: 'chromium',
  display: { width: 1280, height: 720, fps: 30, max_area: 1280 * 720, quality: 'smooth', hide_cursor: false },
  chromium: { kiosk: false, webgl: false, dark: false, ...chromium },
});

t.test('fingers touch the pages of a phone, and others where it was asked for', async t => {
  t.same(gesturesOf(launchOf({})), {});
  t.same(gesturesOf(launchOf({ touch_gestures: { pinch: true } })), { pinch: true });
  t.same(gesturesOf(launchOf({ user_agent: 'chrome_android' })), { pinch: true });
  t.same(gesturesOf(launchOf({ user_agent: 'chrome_android', touch_gestures: { swipe: true } })), { pinch: true, swipe: true });
  t.same(gesturesOf(launchOf({ user_agent: 'chrome_android', touch_gestures: { pinch: false } })), { pinch: false });
});

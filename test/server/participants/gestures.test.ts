import t from 'tap';
import type { ChromiumOptions, Launch } from '../../../src/protocol/generated/schemas.js';
import { kindOf } from '../../../src/server/model/index.js';

const launchOf = (chromium: Partial<ChromiumOptions>): Launch => ({
  type: 'launch',
  kind: 'chromium',
  display: { width: 1280, height: 720, fps: 30, max_area: 1280 * 720, quality: 'smooth', hide_cursor: false },
  chromium: { kiosk: false, webgl: false, dark: false, ...chromium },
});

t.test('touches reach the pages of a phone, and of others on request', async t => {
  t.same(kindOf('chromium').gestures(launchOf({})), {});
  t.same(kindOf('chromium').gestures(launchOf({ touch_gestures: { pinch: true } })), { pinch: true });
  t.same(kindOf('chromium').gestures(launchOf({ user_agent: 'chrome_android' })), { pinch: true });
  t.same(kindOf('chromium').gestures(launchOf({ user_agent: 'chrome_android', touch_gestures: { swipe: true } })), {
    pinch: true,
    swipe: true,
  });
  t.same(kindOf('chromium').gestures(launchOf({ user_agent: 'chrome_android', touch_gestures: { pinch: false } })), {
    pinch: false,
  });
});

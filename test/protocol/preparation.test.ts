import t from 'tap';
import type { ChromiumOptions, Launch } from '../../src/protocol/generated/schemas.js';
import { COMMON_PREPARATION, ownPreparation, suits } from '../../src/protocol/preparation.js';

const launchOf = (options: Partial<ChromiumOptions> = {}, display = {}): Launch => ({
  type: 'launch',
  kind: 'chromium',
  display: { ...COMMON_PREPARATION.display, ...display },
  chromium: { start_url: 'https://secret.example/', kiosk: false, webgl: false, dark: false, ...options },
});

t.test('page, size and rate can change while the browser runs', async t => {
  t.ok(suits(COMMON_PREPARATION, launchOf()));
  t.ok(suits(COMMON_PREPARATION, launchOf({}, { width: 800, height: 600, fps: 60, quality: 'sharp' })));
  t.ok(suits(COMMON_PREPARATION, launchOf({ touch_gestures: { pinch: true } })));
  t.ok(suits(COMMON_PREPARATION, launchOf({ profile: { load: false, save: true } })));
});

t.test('what Chromium reads when it starts must be the same', async t => {
  const options: Partial<ChromiumOptions>[] = [
    { kiosk: true },
    { webgl: true },
    { dark: true },
    { locale: { language: 'de' } },
    { locale: { country: 'AT' } },
    { timezone: 'Europe/Vienna' },
    { search_engine: 'brave' },
    { adblock: true },
    { draw: true },
  ];
  for (const each of options) {
    const own = ownPreparation(launchOf(each));
    t.notOk(suits(COMMON_PREPARATION, launchOf(each)), JSON.stringify(each));
    t.ok(own !== null && suits(own, launchOf(each)), 'a browser of its own suits');
    t.notOk(own !== null && suits(own, launchOf()), 'and no other session');
  }
});

t.test('some sessions need a browser that starts for them', async t => {
  const options: Partial<ChromiumOptions>[] = [
    { profile: { load: true, save: false } },
    { extension: true },
    { http_proxy: { pac: 'https://a.example/pac' } },
    { user_agent: 'chrome_android' },
    { search_engine: { name: 'own', keyword: 'own', url: 'https://a.example/?key=secret&q={searchTerms}' } },
    { start_url: 'chrome://version' },
    { start_url: 'about:version' },
    { start_url: 'CHROME://version' },
    { start_url: `https://a.example/${'\u4e00'.repeat(4000)}` },
  ];
  for (const each of options) {
    t.equal(ownPreparation(launchOf(each)), null, JSON.stringify(each).slice(0, 100));
    t.notOk(suits(COMMON_PREPARATION, launchOf(each)));
  }
});

t.test('it tells nothing of where a session goes', async t => {
  const own = ownPreparation(
    launchOf({ dark: true, locale: { language: 'de' }, profile: { load: false, save: true } }),
  );
  t.same(own, {
    ...COMMON_PREPARATION,
    chromium: { start_url: 'about:blank', kiosk: false, webgl: false, dark: true, locale: { language: 'de' } },
  });
});

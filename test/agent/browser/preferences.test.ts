import t from 'tap';
import { restoredPreferences, singleProfileState } from '../../../src/agent/browser/launch/preferences.js';

const options = { kiosk: false, webgl: false, dark: false };
const display = { width: 1024, height: 768 };

t.test("a saved profile keeps the user's settings, except those that the session sets", async t => {
  const saved = JSON.stringify({
    browser: { theme: { color_scheme: 0, user_color: 7 }, enabled_labs: ['x'] },
    intl: { accept_languages: 'fr' },
    session: { restore_on_startup: 1 },
    bookmark_bar: { show_on_all_tabs: true },
    extensions: { settings: { a: 1 } },
  });
  const kept = restoredPreferences(saved, options, display);
  t.match(kept, {
    browser: { theme: { user_color: 7 }, enabled_labs: ['x'], custom_chrome_frame: false },
    intl: { accept_languages: 'fr' },
    session: { restore_on_startup: 1 },
    bookmark_bar: { show_on_all_tabs: true },
    extensions: { settings: { a: 1 } },
  });
  t.match(restoredPreferences(saved, { ...options, locale: { language: 'de' } }, display), {
    intl: { accept_languages: 'de' },
  });
});

t.test('whether a browser is dark is what its session says, whatever a saved profile was', async t => {
  for (const color_scheme of [0, 1, 2]) {
    const saved = JSON.stringify({ browser: { theme: { color_scheme } } });
    t.match(restoredPreferences(saved, options, display), { browser: { theme: { color_scheme: 1 } } });
    t.match(restoredPreferences(saved, { ...options, dark: true }, display), {
      browser: { theme: { color_scheme: 2 } },
    });
  }
});

t.test('the first window is as wide as the display, wherever the one of a saved profile was', async t => {
  const saved = JSON.stringify({ browser: { window_placement: { left: 300, top: 200, right: 700, bottom: 500 } } });
  // Of exactly the display's size it would be made smaller in both directions.
  const whole = { left: 0, top: 0, right: 1024, bottom: 767, maximized: false };
  t.match(restoredPreferences(saved, options, display), { browser: { window_placement: whole } });
});

t.test("an earlier session's start page does not come up again", async t => {
  const saved = JSON.stringify({ session: { restore_on_startup: 4, startup_urls: ['chrome://version'] } });
  t.match(restoredPreferences(saved, options, display), { session: { restore_on_startup: 5, startup_urls: [] } });
  const again = restoredPreferences(saved, { ...options, start_url: 'chrome://about' }, display);
  t.match(again, { session: { restore_on_startup: 4, startup_urls: ['chrome://about'] } });
});

t.test('unreadable preferences are written anew', async t => {
  for (const text of ['', '{', 'null', '[1]', '"x"'])
    t.match(
      restoredPreferences(text, options, display),
      { browser: { theme: { color_scheme: 1 } } },
      JSON.stringify(text),
    );
});

t.test('of a saved browser only one profile is kept', async t => {
  const profile = {
    info_cache: { Default: { name: 'me' }, 'Profile 1': { name: 'another' } },
    last_used: 'Profile 1',
    last_active_profiles: ['Profile 1'],
    profiles_order: ['Profile 1', 'Default'],
    kept: 1,
  };
  t.same(singleProfileState(JSON.stringify({ profile, other: 2 })), {
    profile: {
      info_cache: { Default: { name: 'me' } },
      last_used: 'Default',
      last_active_profiles: [],
      profiles_order: ['Default'],
      kept: 1,
    },
    other: 2,
  });
  t.match(singleProfileState('damaged'), { profile: { info_cache: {}, last_used: 'Default' } });
});

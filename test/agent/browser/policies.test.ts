import t from 'tap';
import { policies } from '../../../src/agent/browser/policies.js';
import { preferences } from '../../../src/agent/browser/preferences.js';

const options = { start_url: 'about:blank', kiosk: false, webgl: false, dark: false };

t.test('files of the container cannot be browsed', async t => {
  t.same(policies(options)['URLBlocklist'], ['file://*']);
});

t.test('WebGL is off unless asked for', async t => {
  t.equal(policies(options)['Disable3DAPIs'], true);
  t.equal(policies({ ...options, webgl: true })['Disable3DAPIs'], false);
});

t.test('policies and preferences are plain JSON', async t => {
  t.same(JSON.parse(JSON.stringify(policies(options))), policies(options));
  t.same(JSON.parse(JSON.stringify(preferences(options))), preferences(options));
});

t.test('a page of Chromium itself is opened by the preferences', async t => {
  t.match(preferences({ ...options, start_url: 'chrome://version' }), { session: { startup_urls: ['chrome://version'] } });
  t.notHas(preferences(options), 'session');
});

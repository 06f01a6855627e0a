import t from 'tap';
import { policies } from '../../../src/agent/browser/launch/policies.js';
import { preferences } from '../../../src/agent/browser/launch/preferences.js';

const display = { width: 1280, height: 720 };
const options = { start_url: 'about:blank', kiosk: false, webgl: false, dark: false };

t.test('files of the container and of the internal extension cannot be browsed', async t => {
  t.same(policies(options)['URLBlocklist'], [
    'file://*',
    'chrome-extension://pdjlhelabefhmgihlpaeiinoddgdgdha',
    'chrome://extensions',
    'chrome://flags',
    'chrome://inspect',
    'chrome://net-export',
    'chrome://serviceworker-internals',
  ]);
});

t.test('nobody can add a profile in which extensions would read files', async t => {
  t.match(policies(options), { BrowserAddPersonEnabled: false, BrowserGuestModeEnabled: false });
});

t.test('a kiosk has no pages of Chromium but those that it needs, and none that tell secrets', async t => {
  const kiosk = { ...options, kiosk: true };
  t.match(policies(kiosk), { IncognitoModeAvailability: 1, TaskManagerEndProcessEnabled: false });
  const blocked = policies(kiosk)['URLBlocklist'] as string[];
  for (const each of ['file://*', 'chrome://*', 'devtools://*', 'view-source:*']) t.ok(blocked.includes(each), each);
  const allowed = (start_url: string) => policies({ ...kiosk, start_url })['URLAllowlist'] as string[];
  t.ok(allowed('chrome://version/').includes('chrome://version'), 'its first page');
  for (const page of ['chrome://extensions', 'chrome://EXTENSIONS', 'chrome://me@extensions', 'https://a.example/'])
    t.same(allowed(page), allowed('about:blank'), page);
});

t.test('passwords, addresses and cards are only offered to be saved in a profile', async t => {
  const offers = { PasswordManagerEnabled: false, AutofillAddressEnabled: false, AutofillCreditCardEnabled: false };
  t.match(policies(options), offers);
  for (const name of Object.keys(offers))
    t.notHas(policies({ ...options, profile: { load: false, save: true } }), name);
});

t.test('WebGL is off unless asked for', async t => {
  t.equal(policies(options)['Disable3DAPIs'], true);
  t.equal(policies({ ...options, webgl: true })['Disable3DAPIs'], false);
});

t.test('policies and preferences are plain JSON', async t => {
  t.same(JSON.parse(JSON.stringify(policies(options))), policies(options));
  t.same(JSON.parse(JSON.stringify(preferences(options, display))), preferences(options, display));
});

t.test("one of Chromium's own pages is opened by the preferences", async t => {
  t.match(preferences({ ...options, start_url: 'chrome://version' }, display), {
    session: { startup_urls: ['chrome://version'] },
  });
  t.notHas(preferences(options, display), 'session');
});

t.test('a search engine without suggestions gives none', async t => {
  const own = { name: 'Own', keyword: 'own', url: 'https://own.example/?q={searchTerms}' };
  t.equal(policies({ ...options, search_engine: own })['SearchSuggestEnabled'], false);
  t.match(policies({ ...options, search_engine: 'ecosia' }), {
    DefaultSearchProviderName: 'Ecosia',
    SearchSuggestEnabled: true,
  });
  t.equal(policies(options)['DefaultSearchProviderName'], 'DuckDuckGo');
});

t.test('a proxy is set by a script or an address, without the credentials', async t => {
  const proxy = (pac: string) => policies({ ...options, http_proxy: { pac, username: 'me', password: 'secret' } });
  t.match(proxy('https://a.example/proxy.pac')['ProxySettings'], {
    ProxyPacUrl: 'https://a.example/proxy.pac',
    ProxyPacMandatory: true,
  });
  const script = 'function FindProxyForURL() { return "DIRECT"; } // ä';
  const { ProxyPacUrl } = proxy(script)['ProxySettings'] as { ProxyPacUrl: string };
  t.equal(Buffer.from(ProxyPacUrl.split(',')[1] ?? '', 'base64').toString(), script);
  t.notMatch(JSON.stringify(proxy(script)), /secret/);
  t.notHas(policies(options), 'ProxySettings');
});

t.test("the operator's own authorities are trusted", async t => {
  t.same(policies(options, ['AAAA'])['CACertificates'], ['AAAA']);
  t.notHas(policies(options), 'CACertificates');
});

import t from 'tap';
import type { HttpProxy, StartChromium } from '../../../src/protocol/generated/schemas.js';
import { chromium } from '../../../src/server/model/kinds/chromium.js';
import { areaProblems } from '../../../src/server/model/kinds/start-spec.js';
import { START_SETTINGS } from '../../fixtures/services/session-rows.js';

const specOf = (request: StartChromium, httpProxy: HttpProxy | null = null) =>
  chromium.start.spec(request, { ...START_SETTINGS, httpProxy });

t.test('an empty request has defaults for everything', async t => {
  t.same(specOf({}), {
    launch: {
      type: 'launch',
      kind: 'chromium',
      display: {
        width: 1280,
        height: 720,
        fps: 24,
        max_area: 921_600,
        quality: 'smooth',
        hide_cursor: false,
      },
      chromium: { start_url: 'about:blank', kiosk: false, webgl: false, dark: false },
    },
    rom: null,
    defaults: { roles: ['chrome_apis', 'resize', 'control'], control_disabled: false },
    auth: { type: 'token' },
    region: null,
    tag: null,
    tenantId: null,
    metadata: {},
    timeouts: { absolute: null, inactive: null, offline: 3_600_000, warning: 60_000 },
    webhook: null,
    events: null,
    profile: { load: null, save: null },
    extension: null,
  });
});

t.test('null switches a timeout off, seconds become milliseconds', async t => {
  const { timeouts } = specOf({ timeout: { absolute: 1.5, offline: null, warning: null } });
  t.same(timeouts, { absolute: 1500, inactive: null, offline: null, warning: null });
});

t.test("the time zone is the request's, else the service's", async t => {
  const zone = (request: StartChromium, timezone: string | null) => {
    const { launch } = chromium.start.spec(request, { ...START_SETTINGS, timezone });
    return 'chromium' in launch ? launch.chromium.timezone : null;
  };
  t.equal(zone({}, null), undefined);
  t.equal(zone({}, 'Asia/Tokyo'), 'Asia/Tokyo');
  t.equal(zone({ timezone: 'america/NEW_YORK' }, 'Asia/Tokyo'), 'America/New_York', 'as its file is spelled');
});

t.test('ublock is an alias of adblock', async t => {
  t.match(specOf({ adblock: true }).launch, { chromium: { adblock: true } });
  t.match(specOf({ ublock: true }).launch, { chromium: { adblock: true } });
  t.notMatch(
    specOf({ adblock: false, ublock: true }).launch,
    { chromium: { adblock: true } },
    'the current name counts',
  );
  t.notMatch(specOf({ ublock: false }).launch, { chromium: { adblock: true } });
});

t.test('the area is limited', async t => {
  t.same(areaProblems({ width: 1920, height: 1080 }), []);
  t.same(
    areaProblems({ width: 1921, height: 1080 }).map(({ path }) => path),
    ['/width', '/height'],
  );
  t.same(
    areaProblems({ width: 800, height: 600, max_area: 479_999 }).map(({ path }) => path),
    ['/max_area'],
  );
  t.same(areaProblems({ width: 800, height: 600, max_area: 480_000 }), []);
});

t.test('a profile is loaded, saved, or both', async t => {
  const id = 'AAAAAAAAAAAAAAAAAAAAAA';
  const other = 'BBBBBBBBBBBBBBBBBBBBBB';
  const at = (path: string, name = id) => ({ id: name, path });
  const cases: [StartChromium['profile'], object][] = [
    [false, { load: null, save: null }],
    [true, { load: null, save: 'new' }],
    [id, { load: at('/profile'), save: at('/profile') }],
    [{}, { load: null, save: null }],
    [{ load: id }, { load: at('/profile/load'), save: null }],
    [
      { load: id, save: false },
      { load: at('/profile/load'), save: null },
    ],
    [
      { load: id, save: true },
      { load: at('/profile/load'), save: 'new' },
    ],
    [
      { load: id, save: other },
      { load: at('/profile/load'), save: at('/profile/save', other) },
    ],
    [{ save: other }, { load: null, save: at('/profile/save', other) }],
  ];
  for (const [profile = false, profileSpec] of cases)
    t.same(specOf({ profile }).profile, profileSpec, JSON.stringify(profile));
  const options = (request: StartChromium) => {
    const { launch } = specOf(request);
    return launch.kind === 'chromium' ? launch.chromium : null;
  };
  t.equal(options({ profile: id })?.start_url, undefined, 'its tabs are restored');
  t.equal(options({ profile: id, start_url: 'http://x/' })?.start_url, 'http://x/');
  t.equal(options({ profile: true })?.start_url, 'about:blank');
  t.equal(
    options({ start_url: 'about:newtab' })?.start_url,
    'chrome://newtab',
    'in the form that the browser starts with',
  );
  t.same(options({ profile: { load: id } })?.profile, { load: true, save: false });
});

t.test('default roles and authorization are taken from the request', async t => {
  const value = { url: 'http://x', bearer: 'y' };
  const { auth, defaults } = specOf({
    auth: { type: 'webhook', value },
    default_roles: [],
    control_disable_default: true,
  });
  t.same(auth, { type: 'webhook', ...value, secret: null });
  t.same(defaults, { roles: [], control_disabled: true });
});

t.test("sessions that name no proxy use the service's", async t => {
  const own = { pac: 'https://own.example/pac', username: 'me' };
  const theirs = { pac: 'https://service.example/pac' };
  const proxy = (request: StartChromium, httpProxy: HttpProxy | null = null) => {
    const { launch } = specOf(request, httpProxy);
    return launch.kind === 'chromium' ? launch.chromium.http_proxy : undefined;
  };
  t.equal(proxy({}), undefined);
  t.same(proxy({}, theirs), theirs);
  t.same(proxy({ http_proxy: own }, theirs), own);
});

// tags: containers
import { readFile } from 'node:fs/promises';
import t, { type Test } from 'tap';
import type { ChromiumOptions, Launch } from '../../../src/protocol/generated/schemas.js';
import { COMMON_PREPARATION, ownPreparation, type Preparation } from '../../../src/protocol/preparation.js';
import { AUTHORITY, LOCALHOST } from '../../fixtures/certificates/index.js';
import type { Site } from '../../fixtures/pages/site-in-container.js';
import { until } from '../../fixtures/until.js';
import { Computer } from './computer.js';
import { prepared } from './prepared.js';
import { launchOf, Service } from './service.js';

const reportingPage = (kiosk: boolean) => `<!doctype html><body><script>
(async () => {
  const gl = document.createElement('canvas').getContext('webgl');
  const hints = await navigator.userAgentData.getHighEntropyValues(['platform', 'model']);
  // A window is maximized, or fills the screen, right after it has appeared.
  const isThere = () => innerWidth === screen.width && ${kiosk ? 'inner' : 'outer'}Height === screen.height;
  for (const end = Date.now() + 15000; !isThere() && Date.now() < end; ) {
    await new Promise(resolve => setTimeout(resolve, 10));
  }
  const report = {
    dark: matchMedia('(prefers-color-scheme: dark)').matches,
    languages: navigator.languages,
    webgl: gl !== null,
    userAgent: navigator.userAgent,
    mobile: navigator.userAgentData.mobile,
    platform: hints.platform,
    touchPoints: navigator.maxTouchPoints,
    webdriver: navigator.webdriver,
    autoplay: new AudioContext().state,
    size: [innerWidth, innerHeight],
    screen: [screen.width, screen.height],
  };
  await fetch('/report', { method: 'POST', body: JSON.stringify(report) });
})();
</script>`;

interface Report {
  dark: boolean;
  languages: string[];
  webgl: boolean;
  userAgent: string;
  mobile: boolean;
  platform: string;
  touchPoints: number;
  webdriver: boolean;
  autoplay: string;
  size: [number, number];
  screen: [number, number];
}

/** What the browser of a container may be prepared with when a session takes it; null: there is none yet. */
const PREPARATIONS: Readonly<Record<string, (launch: Launch) => Preparation | null>> = {
  'in a browser that is started for it': () => null,
  'where the waiting browser has no options': () => COMMON_PREPARATION,
  'where the waiting browser has the same options': ownPreparation,
};

/** What a page sees of a session started with these options. */
async function seen(t: Test, options: Partial<ChromiumOptions>, preparation: Preparation | null = null) {
  const computer = await prepared(t, preparation);
  const service = await Service.connect(t, computer);
  const site: Site = await computer.serve(reportingPage(options.kiosk === true));
  service.tell(launchOf({ start_url: 'http://localhost:8000/', ...options }));
  const report = await until('the page reports', () => site.reports[0] as Report | undefined);
  return { computer, report, headers: site.visits[0]?.headers ?? {} };
}

t.test('without options', async t => {
  const { computer, report, headers } = await seen(t, {});
  t.equal(report.dark, false);
  t.equal(report.webgl, false, 'WebGL is off');
  t.same(report.languages, ['en-US']);
  t.match(report.userAgent, /X11; Linux/);
  t.equal(report.webdriver, false, 'nothing says that a program drives the browser');
  t.equal(report.autoplay, 'running', 'sound needs no click');
  t.same(report.screen, [1280, 720]);
  t.equal(report.size[0], 1280, `the window fills the display: ${report.size.join('x')}`);
  t.ok(report.size[1] < 720, 'the navigation is shown');
  t.match(headers['accept-language'], /^en-US/);

  await t.test("Chromium's own sandbox is on", async t => {
    const [agent] = await computer.pids(/^node .*agent\/load\.cjs/);
    const status = (pid: number | undefined) => computer.exec('cat', `/proc/${pid}/status`);
    const filters = (text: string) => Number(/Seccomp_filters:\s*(\d+)/.exec(text)?.[1]);
    const least = filters(await status(agent));
    // One that has just been started is not in its sandbox yet, or may be gone again.
    const renderer = await until('a page is in its sandbox', async () => {
      const [pid] = await computer.pids(/--type=renderer/);
      const text = await status(pid).catch(() => '');
      return filters(text) > least && text;
    });
    t.match(renderer, /^NSpid:\t\d+\t\d+/m, 'pages run in a process namespace of their own');
    t.ok(filters(renderer) > least, 'a seccomp filter of its own');
    t.same(await computer.pids(/--no-sandbox/), []);
  });
});

for (const [where, preparationFor] of Object.entries(PREPARATIONS)) {
  t.test(`dark, WebGL, kiosk and a locale, ${where}`, async t => {
    const options = { dark: true, webgl: true, kiosk: true, locale: { language: 'fr;q=0.7, de', country: 'AT' } };
    const launch = launchOf({ start_url: 'http://localhost:8000/', ...options });
    const { report, headers } = await seen(t, options, preparationFor(launch));
    t.equal(report.dark, true);
    t.equal(report.webgl, true);
    t.same(report.size, [1280, 720], 'the page fills the display');
    t.same(report.languages, ['de-AT', 'de', 'fr']);
    t.equal(headers['accept-language'], 'de-AT,de;q=0.9,fr;q=0.8');
  });
}

const ZONE = `const zone = [Intl.DateTimeFormat().resolvedOptions().timeZone, new Date(2026, 0, 1).getTimezoneOffset()].join();
const tell = who => fetch('/report', { method: 'POST', body: JSON.stringify({ who, zone }) });
`;
const ZONE_OF = {
  '/dedicated.js': `${ZONE} tell('dedicated worker');`,
  '/shared.js': `${ZONE} tell('shared worker');`,
  '/service.js': `${ZONE} addEventListener('install', event => event.waitUntil(tell('service worker')));`,
};
const ZONE_PAGE = `<!doctype html><script>
${ZONE}
tell('page');
new Worker('/dedicated.js');
new SharedWorker('/shared.js');
navigator.serviceWorker.register('/service.js');
</script>`;

for (const [where, preparationFor] of Object.entries(PREPARATIONS)) {
  t.test(`a time zone is that of pages and of all workers, ${where}`, async t => {
    const launch = launchOf({ start_url: 'http://localhost:8000/', timezone: 'Asia/Calcutta' });
    const computer = await prepared(t, preparationFor(launch));
    const service = await Service.connect(t, computer);
    const site = await computer.serve(ZONE_PAGE, 8000, ZONE_OF);
    service.tell(launch);
    await until('all have reported', () => site.reports.length === 4);
    const zones = new Map(site.reports.map(report => Object.values(report as object) as [string, string]));
    for (const who of ['page', 'dedicated worker', 'shared worker', 'service worker'])
      t.equal(zones.get(who), 'Asia/Calcutta,-330', who);
  });
}

t.test('each time zone that can be asked for has its file', async t => {
  const computer = await Computer.start(t);
  const files = new Set((await computer.exec('find', '-L', '/usr/share/zoneinfo', '-printf', '%P\n')).split('\n'));
  t.same(
    Intl.supportedValuesOf('timeZone').filter(zone => !files.has(zone)),
    [],
  );
});

t.test('the Android preset, where a browser without it waits', async t => {
  const { report, headers } = await seen(t, { user_agent: 'chrome_android' }, COMMON_PREPARATION);
  t.match(report.userAgent, /^Mozilla\/5\.0 \(Linux; Android 10; K\) .* Chrome\/\d+\.0\.0\.0 Mobile Safari\/537\.36$/);
  t.equal(headers['user-agent'], report.userAgent);
  t.equal(report.mobile, true);
  t.equal(report.platform, 'Android');
  t.ok(report.touchPoints > 0);

  t.equal(headers['sec-ch-ua-mobile'], '?1', 'client hints say the same');
  t.equal(headers['sec-ch-ua-platform'], '"Android"');
});

t.test("a page and its workers are trusted by the operator's own authority, in a waiting browser too", async t => {
  const caCertificates = [await readFile(AUTHORITY, 'utf8')];
  const script = `const tell = who => fetch('/report', { method: 'POST', body: JSON.stringify(who) });`;
  const page = `<!doctype html><script>${script} tell('page'); navigator.serviceWorker.register('/worker.js')</script>`;
  const worker = `${script} addEventListener('install', event => event.waitUntil(tell('worker')))`;
  for (const preparation of [COMMON_PREPARATION, undefined]) {
    const computer = await Computer.start(t, { caCertificates, ...(preparation === undefined ? {} : { preparation }) });
    const site = await computer.serve(page, 8443, { '/worker.js': worker }, LOCALHOST);
    const service = await Service.connect(t, computer);
    service.tell(launchOf({ start_url: 'https://localhost:8443/' }));
    await until('both have reported', () => site.reports.length === 2);
    t.same(site.reports, ['page', 'worker']);
  }
});

t.test('without it, the page is a warning', async t => {
  const computer = await Computer.start(t);
  const site = await computer.serve('<title>here</title>', 8443, {}, LOCALHOST);
  const service = await Service.connect(t, computer);
  await service.run(launchOf({ start_url: 'https://localhost:8443/' }));
  const titles = async () => ((await service.call('tabs.query', {})) as { title: string }[]).map(({ title }) => title);
  await until('the warning is there', async () => (await titles()).includes('Privacy error'));
  t.same(site.visits, []);
});

t.test("one of Chromium's own pages can be the start page", async t => {
  const computer = await Computer.start(t);
  const service = await Service.connect(t, computer);
  await service.run(launchOf({ start_url: 'chrome://version' }));
  await until('its page is in the history of the session', async () => {
    const files = await computer.exec('sh', '-c', 'cat /home/berth/profile/Default/Sessions/Session_* || true');
    return files.includes('chrome://version');
  });
});

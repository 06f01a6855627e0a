// tags: containers
import t, { type Test } from 'tap';
import { until } from '../../fixtures/until.js';
import { Computer } from './computer.js';
import { launchOf, Service } from './service.js';

/** Names that the page asks for scripts, all of them the same server within the container; Chromium knows none for HTTPS. */
const HOSTS = ['amazon-adsystem.com', 'googletagmanager.com', 'shop.example', 'cdn.example'];

const SCRIPTS = {
  adServer: 'http://amazon-adsystem.com/show.js',
  tracker: 'http://googletagmanager.com/gtm.js',
  standIn: 'http://cdn.example/blockadblock-3.2.0.js',
  adPath: 'http://shop.example/ads/300.html',
  trackerPath: 'http://cdn.example/js/nr-analytics.js',
  own: 'http://shop.example/shop.js',
  library: 'http://cdn.example/library.js',
};

const PAGE = `<!doctype html><title>shop</title>
${Object.values(SCRIPTS)
  .map(address => `<script src="${address}"></script>`)
  .join('\n')}
<script>fetch('/report', { method: 'POST', body: JSON.stringify({ standsIn: typeof window.blockAdBlock }) })</script>`;

/** Opens the page in a new container; gives what its scripts' server was asked for, and what the page reports. */
async function visit(t: Test, adblock: boolean) {
  const computer = await Computer.start(t, { hosts: HOSTS });
  const service = await Service.connect(t, computer);
  const site = await computer.serve(PAGE, 80);
  await service.run(launchOf({ start_url: 'http://shop.example/', adblock }));
  const report = await until('the page is through', () => site.reports[0]);
  const asked = site.visits.map(({ path, headers }) => `http://${headers['host']}${path}`);
  // A page that Chromium was started on may be faster than the rules.
  t.equal((await computer.pids(/--load-extension.*shop\.example/)).length > 0, !adblock, 'how it was opened');
  const names = Object.entries(SCRIPTS).filter(([, address]) => asked.includes(address));
  return { asked: names.map(([name]) => name), report };
}

t.test('without the ad blocker every request leaves the session', async t => {
  const { asked, report } = await visit(t, false);
  t.same(asked, Object.keys(SCRIPTS));
  t.same(report, { standsIn: 'undefined' }, 'the server has none of what stands in for them');
});

t.test('with the ad blocker ads and trackers are not requested, from the first page on', async t => {
  const { asked, report } = await visit(t, true);
  t.same(asked, ['own', 'library']);
  t.same(report, { standsIn: 'object' }, 'pages find what they need of a blocked script');
});

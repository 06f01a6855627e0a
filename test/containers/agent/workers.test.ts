// tags: containers
import t from 'tap';
import type { FileChooser } from '../../../src/protocol/generated/schemas.js';
import { until } from '../../fixtures/until.js';
import { Computer } from './computer.js';
import { launchOf, Service } from './service.js';

/** All that scripts can be told of the browser. What is asked for at once is what first lines get. */
const ABOUT = `const about = (() => {
  const hints = navigator.userAgentData;
  const first = { userAgent: navigator.userAgent, hints: hints.toJSON() };
  const asked = hints.getHighEntropyValues(['architecture', 'bitness', 'formFactors', 'fullVersionList', 'model',
    'platformVersion', 'uaFullVersion', 'wow64']);
  return asked.then(entropy => ({ ...first, entropy }));
})();
const tell = async who => fetch('/report', { method: 'POST', body: JSON.stringify({ who, about: await about }) });
const where = location.host + new URL(location).pathname;
`;

const WORKERS = {
  '/dedicated.js': `${ABOUT} tell('dedicated worker of ' + location.host);`,
  '/shared.js': `${ABOUT} tell('shared worker of ' + location.host);`,
};

/** Scripts of service workers, each at a path of its own. */
const serviceWorkers = (...names: string[]) =>
  Object.fromEntries(
    names.map(name => [
      `/${name}.js`,
      `${ABOUT} addEventListener('install', event => event.waitUntil(tell(where).then(() => fetch('/fetched-by-${name}'))));`,
    ]),
  );

/** Takes files all over, starts the workers that its address names, and shows pages of another site in itself where it is to. */
const PAGE = `<!doctype html><title>workers</title><style>body{margin:0} input,iframe{position:fixed;inset:0;width:100%;height:100%;border:0}</style>
<input type="file"><script>
${ABOUT}
const wanted = new URLSearchParams(location.search);
tell(where);
if (wanted.has('workers')) {
  new Worker('/dedicated.js');
  new SharedWorker('/shared.js');
}
if (wanted.has('sw')) navigator.serviceWorker.register('/' + wanted.get('sw') + '.js', { scope: '/of-' + wanted.get('sw') + '/' });
if (wanted.has('frame')) {
  document.body.innerHTML = '<iframe></iframe>';
  document.body.firstChild.src = 'http://127.0.0.1:8000/framed?workers&sw=' + wanted.get('frame');
}
for (let i = 1; i <= Number(wanted.get('frames')); i++) {
  document.body.append(Object.assign(document.createElement('iframe'), { src: 'http://127.0.0.1:8000/frame-' + i }));
}
</script>`;

const FRAMES = Array.from({ length: 12 }, (_, i) => `127.0.0.1:8000/frame-${i + 1}`);

interface About {
  readonly userAgent: string;
  readonly hints: { readonly brands: readonly object[]; readonly mobile: boolean; readonly platform: string };
  readonly entropy: object;
}

interface Report {
  readonly who: string;
  readonly about: About;
}

const PHONE = { hints: { mobile: true, platform: 'Android' }, entropy: { model: '', formFactors: ['Mobile'] } };

t.test('workers of an Android preset see the same values as their pages, from their first line on', async t => {
  const computer = await Computer.start(t);
  const service = await Service.connect(t, computer);
  const site = await computer.serve(PAGE, 8000, {
    ...WORKERS,
    ...serviceWorkers('first', 'framed', 'enabled', 'disabled', 'fresh'),
  });
  const reports = site.reports as Report[];
  /** Tells a page that was never asked for from one that was, but does not run. */
  const happened = () => {
    const pages = service.events.flatMap(({ args }) => (args as { url?: string }[]).flatMap(({ url }) => url ?? []));
    const visits = site.visits.map(({ path }) => path);
    return JSON.stringify({ page: pages.at(-1), visits, reports: reports.map(({ who }) => who) });
  };
  const told = async (who: string) => {
    const what = () => `${who} reports: ${happened()}`;
    return (await until(what, () => reports.find(report => report.who === who))).about;
  };
  const choosers = () => service.heard.filter((message): message is FileChooser => message.type === 'file_chooser');

  /** Whether what asks for files is answered by viewers, wherever it is. */
  async function opensChooser(): Promise<void> {
    const before = choosers().length;
    let clickedAt = -Infinity;
    await until('a chooser', () => {
      // A page that was not painted yet takes no click.
      if (performance.now() - clickedAt > 2000) {
        clickedAt = performance.now();
        service.click(0.5, 0.5);
      }
      return choosers()
        .slice(before)
        .some(({ open }) => open);
    });
    await service.call('files.cancel');
  }

  await service.run(
    launchOf({ start_url: 'http://localhost:8000/start?workers&sw=first', user_agent: 'chrome_android', kiosk: true }),
  );
  const page = await told('localhost:8000/start');
  t.match(page, PHONE, 'the page is one of a phone');
  t.match(page.userAgent, /Android 10; K\) .* Mobile Safari/);
  t.ok(page.hints.brands.length > 0, 'which has brands');
  t.same(await told('localhost:8000/first.js'), page, 'its service worker');
  t.same(await told('dedicated worker of localhost:8000'), page, 'its dedicated worker');
  t.equal(
    (await told('shared worker of localhost:8000')).userAgent,
    page.userAgent,
    'its shared worker: the user agent',
  );

  const asked = (path: string) => until(`${path} is asked for`, () => site.visits.find(visit => visit.path === path));
  for (const path of ['/first.js', '/fetched-by-first', '/shared.js', '/dedicated.js']) {
    const { headers } = await asked(path);
    t.match(
      headers,
      { 'sec-ch-ua-mobile': '?1', 'sec-ch-ua-platform': '"Android"', 'user-agent': page.userAgent },
      `the request of ${path}`,
    );
  }

  const open = async (address: string) => {
    const [{ id } = { id: 0 }] = (await service.call('tabs.query', { active: true })) as { id: number }[];
    await service.call('tabs.update', id, { url: `http://localhost:8000${address}` });
  };
  await open('/with-frame?frame=framed');
  t.same(await told('127.0.0.1:8000/framed'), page, 'a frame of another site');
  t.same(await told('127.0.0.1:8000/framed.js'), page, 'the service worker of a frame of another site');
  t.same(await told('dedicated worker of 127.0.0.1:8000'), page, 'the dedicated worker of a frame of another site');

  await service.call('files.enable', true);
  await opensChooser();
  t.pass('choosers of a frame that was there before are answered');
  await open('/with-choosers?sw=enabled');
  t.same(await told('localhost:8000/enabled.js'), page, 'a service worker while choosers are answered');
  await opensChooser();
  t.pass('choosers of a page with a service worker are answered');

  await service.call('files.enable', false);
  await open('/without-choosers?sw=disabled');
  t.same(await told('localhost:8000/disabled.js'), page, 'a service worker after choosers were answered');
  t.not(choosers().at(-1)?.open, true);

  await open(`/with-frames?frames=${FRAMES.length}`);
  const missing = () => FRAMES.filter(frame => !reports.some(({ who }) => who === frame));
  let enable = true;
  await until(
    () => `all frames report: ${happened()}`,
    async () => {
      await service.call('files.enable', enable);
      enable = !enable;
      return missing().length === 0;
    },
  );
  for (const frame of FRAMES) t.same(await told(frame), page, `${frame}, which began while its tab was being set up`);
  await service.call('files.enable', false);

  await service.call('tabs.create', { url: 'about:blank' });
  await open('/in-new-tab?sw=fresh');
  t.same(await told('localhost:8000/fresh.js'), page, 'a service worker of a new tab');
});

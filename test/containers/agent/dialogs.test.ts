// tags: containers
import t from 'tap';
import { until } from '../../fixtures/until.js';
import { Computer } from './computer.js';
import { launchOf, Service } from './service.js';

/** A page that asks whether it is to be left once something was typed; F2 opens a dialog, F4 keeps it busy for good. */
const PAGE = `<!doctype html><meta charset="utf-8"><title>empty</title>
<textarea autofocus style="position:fixed;inset:0"></textarea>
<script>
addEventListener('beforeunload', event => {
  event.preventDefault();
  navigator.sendBeacon('/report', JSON.stringify({ asked: location.pathname }));
});
addEventListener('input', () => { document.title = 'typed ' + location.pathname; });
addEventListener('keydown', ({ key }) => {
  if (key === 'F2') confirm('Really?');
  if (key === 'F4') for (;;);
});
</script>`;

interface Tab {
  id: number;
  url: string;
  title: string;
  status: string;
}

const F2 = 0xffbf;
const F4 = 0xffc1;
const F5 = 0xffc2;

/** The end is to be answered long before Chromium would be killed, after 10 s. */
const END_MS = 6000;

const url = (path: string) => `http://localhost:8000/${path}`;

const computer = await Computer.start(t);
const site = await computer.serve(PAGE);
const service = await Service.connect(t, computer);
await service.run(launchOf({ start_url: url('first') }));
await service.browserAnswers();

const tabs = (method: string, ...args: unknown[]) => service.call(`tabs.${method}`, ...args);
const allTabs = async () => (await tabs('query', {})) as Tab[];
const active = async () => ((await tabs('query', { active: true })) as [Tab])[0];
const questions = (path: string) =>
  (site.reports as { asked: string }[]).filter(({ asked }) => asked === `/${path}`).length;
const visits = (path: string) => site.visits.filter(visit => visit.path === `/${path}`).length;

/** Types into the page of the tab in the foreground, which asks from then on. */
async function typeInto(path: string): Promise<void> {
  await until(`${path} is typed into`, async () => {
    service.click(0.5, 0.5);
    service.press(0x61);
    const isTyped = async () => {
      const tab = await active();
      return tab.url === url(path) && tab.title === `typed /${path}`;
    };
    return until('it says so', isTyped, 500).catch(() => false);
  });
}

t.test('calls that leave a page which asks are carried out', async t => {
  const { id } = await active();
  await typeInto('first');
  const before = visits('first');
  t.equal(await tabs('reload'), null);
  await until('it is loaded again', async () => visits('first') > before && (await active()).title === 'empty');

  await typeInto('first');
  t.match(await tabs('update', id, { url: url('second') }), { id });
  await until('the other page is there', () => visits('second') > 0);

  await typeInto('second');
  t.equal(await tabs('goBack', id), null);
  await until('the first page is back', async () => (await active()).url === url('first'));

  await typeInto('first');
  t.equal(await tabs('goForward', id), null);
  await until('the second page is back', async () => (await active()).url === url('second'));

  await tabs('create', { url: url('third') });
  await typeInto('third');
  t.equal(await tabs('remove', (await active()).id), null);
  t.same(
    (await allTabs()).map(tab => tab.id),
    [id],
  );
});

t.test('people who leave such a page are asked, and a later call goes its own way', async t => {
  await typeInto('second');
  const before = visits('second');
  const asked = questions('second');
  service.press(F5);
  await until('the page asks', () => questions('second') > asked);
  t.equal(visits('second'), before);
  t.match(await tabs('update', (await active()).id, { url: url('fourth') }), { id: Number });
  await until('the page of the call is there', () => visits('fourth') > 0);
});

t.test('nothing that pages do or ask holds up the end, and their tabs are kept', async t => {
  await typeInto('fourth');
  await tabs('create', { url: url('confirm') });
  await typeInto('confirm');
  service.press(F2);
  await tabs('create', { url: url('busy') });
  await typeInto('busy');
  service.press(F4);
  await computer.exec('sh', '-c', `node -e '${ENDLESS}' >/dev/null 2>&1 &`);
  const hasDownload = async () => (await computer.exec('ls', '/tmp/downloads')).includes('.crdownload');
  await until('a download begins', async () => {
    await tabs('create', { url: 'http://localhost:8001/', active: false });
    return until('its file', hasDownload, 2000).catch(() => false);
  });

  const begun = performance.now();
  const answer = await computer.request('GET', '/profile');
  const profile = Buffer.from(await answer.arrayBuffer());
  t.equal(answer.status, 200);
  const took = Math.round(performance.now() - begun);
  t.ok(took < END_MS, `${took} ms`);

  const next = await Computer.start(t);
  const again = await next.serve(PAGE);
  const other = await Service.connect(t, next);
  const launch = launchOf();
  if (!('chromium' in launch)) return t.fail('no browser');
  const { start_url: _, ...chromium } = launch.chromium;
  other.tell({ ...launch, chromium: { ...chromium, profile: { load: true, save: true } } });
  t.equal((await next.request('PUT', '/profile', profile)).status, 204);
  for (const path of ['/fourth', '/confirm', '/busy'])
    await until(`${path} is restored`, () => again.visits.some(visit => visit.path === path));
});

/** A server whose only file never ends. */
const ENDLESS = `require("http").createServer((request, response) => {
  response.writeHead(200, { "content-type": "application/zip", "content-length": 1e9 });
  response.write(Buffer.alloc(1e6));
}).listen(8001)`;

// tags: containers, slow
import t, { type Test } from 'tap';
import type { ChromiumOptions, Launch } from '../../../src/protocol/generated/schemas.js';
import { COMMON_PREPARATION, ownPreparation } from '../../../src/protocol/preparation.js';
import { until } from '../../fixtures/until.js';
import { Computer } from './computer.js';
import { CHROMIUM, PAGE, prepared, start, START } from './prepared.js';
import { launchOf, Service } from './service.js';

/** Where programs in a container can write. */
const WRITABLE = ['/home/berth', '/tmp', '/dev/shm', '/run/berth/policies'];

/** What the desktop's programs and the agent have there. */
const OTHERS =
  /^(\/home\/berth(\/\.cache(\/openbox.*)?|\/\.config(\/pulse.*)?)?|\/tmp(\/\.X11-unix.*|\/downloads)?|\/dev\/shm)$/;

const CONTROL = 0xffe3;
const SHIFT = 0xffe1;

/** What a page saw, with the sizes that its window had in the end. */
const settled = (seen: Record<string, unknown>) => ({ ...seen, sizes: seen['laterSizes'] });

/** Starts a session in a prepared container and one in another; gives both. */
async function both(t: Test, chromium: Partial<ChromiumOptions> = {}, display: Partial<Launch['display']> = {}) {
  const plain = launchOf({ ...chromium, start_url: START });
  const launch = { ...plain, display: { ...plain.display, ...display } };
  const own = ownPreparation(plain);
  const ready = await prepared(t, own);
  const [pid] = await ready.pids(CHROMIUM);
  const taken = await start(t, ready, launch);
  t.same(await ready.pids(CHROMIUM), [pid], 'the browser that was prepared is the session’s');
  return { taken, usual: await start(t, await prepared(t, null), launch) };
}

t.test('a page cannot tell that its browser was prepared', async t => {
  const { taken, usual } = await both(t);
  t.match(taken.seen, { history: 1, visibility: 'visible', referrer: '', type: 'navigate' });
  t.same(taken.seen, settled(usual.seen), 'it is not even resized while it loads');
  t.same(taken.headers, usual.headers, 'nor can its server');
  t.equal(taken.site.visits.length, 1, 'it is asked for once');
  const tabs = (await taken.service.call('tabs.query', {})) as { url: string; index: number; active: boolean }[];
  t.match(tabs, [{ url: START, index: 0, active: true }]);
  t.equal(tabs.length, 1);
  const told = () => taken.service.events.map(({ name }) => name);
  const ofOthers = ['tabs.onCreated', 'tabs.onActivated', 'tabs.onHighlighted', 'tabs.onMoved', 'tabs.onRemoved'];
  t.notOk(
    told().some(name => ofOthers.includes(name)),
    'clients see no other tab come or go',
  );
  const { id } = (await taken.service.call('tabs.create', { url: 'about:blank' })) as { id: number };
  await taken.service.call('tabs.remove', id);
  await until('later tabs are told', () => told().includes('tabs.onCreated') && told().includes('tabs.onRemoved'));
});

t.test('no tab but those of the session can be reopened', async t => {
  const { service } = await start(t, await prepared(t));
  const urls = async () => ((await service.call('tabs.query', {})) as { url: string }[]).map(({ url }) => url);
  const has = (url: string) => until(`${url} is there`, async () => (await urls()).includes(url));
  const press = (...keys: number[]) => {
    for (const keysym of keys) service.input({ type: 'key', down: true, keysym });
    for (const keysym of keys.reverse()) service.input({ type: 'key', down: false, keysym });
  };
  const reopen = () => press(CONTROL, SHIFT, 'T'.charCodeAt(0));
  const own = `${START}?own`;
  const { id } = (await service.call('tabs.create', { url: own })) as { id: number };
  await has(own);
  await service.call('tabs.remove', id);
  reopen();
  await has(own);
  reopen();
  press(CONTROL, 't'.charCodeAt(0));
  await has('chrome://newtab/');
  t.same((await urls()).sort(), ['chrome://newtab/', START, own]);
});

t.test('nor with another size and other options', async t => {
  const options = { dark: true, kiosk: true, locale: { language: 'de', country: 'AT' } };
  const { taken, usual } = await both(t, options, { width: 900, height: 500, fps: 60 });
  t.match(taken.seen, { isDark: true, languages: ['de-AT', 'de'], sizes: [900, 500, 900, 500, 900, 500] });
  t.same(taken.seen, settled(usual.seen), 'it is not even resized while it loads');
  t.same(taken.headers, usual.headers);
});

t.test('no page is told of a mouse that nobody has moved', async t => {
  const page = `<title>loading</title><script>
    let moves = 0;
    addEventListener('mousemove', () => moves++);
    addEventListener('load', () => setTimeout(() => document.title = moves + ' moves', 300));
  </script>`;
  // At once there, unlike one from a server: what the tab is told when it opens is told to the page.
  const launch = launchOf({ start_url: `data:text/html,${encodeURIComponent(page)}`, kiosk: true });
  const service = await Service.connect(t, await prepared(t, ownPreparation(launch)));
  await service.run(launch);
  const tabs = () => service.call('tabs.query', {}) as Promise<{ title: string }[]>;
  const loaded = await until('it is loaded', async () => (await tabs()).find(({ title }) => title.endsWith('moves')));
  t.equal(loaded.title, '0 moves');
});

/** All files in there, each with the number that no later one has. */
async function files(computer: Computer): Promise<Set<string>> {
  return new Set((await computer.exec('find', ...WRITABLE, '-printf', '%i %p\n')).split('\n').filter(Boolean));
}

t.test('with a built-in extension it has no empty page behind it', async t => {
  const { taken, usual } = await both(t, { adblock: true });
  t.equal(taken.seen['history'], 1);
  t.same(taken.headers, { ...usual.headers, 'sec-fetch-site': 'none', 'sec-fetch-user': '?1' }, 'as with no extension');
});

t.test('a launch that does not suit gets a browser of its own', async t => {
  const computer = await prepared(t);
  const [pid] = await computer.pids(CHROMIUM);
  const places = [...WRITABLE, '/home/berth/profile', '/home/berth/.cache', '/home/berth/.config'];
  await computer.exec('touch', ...places.map(place => `${place}/.org.chromium.left-over`));
  const before = await files(computer);
  t.match([...before].join('\n'), /\/tmp\/org\.chromium\.Chromium\.\w+\/SingletonSocket/);
  const launch = launchOf({ start_url: START, dark: true });
  const { seen } = await start(t, computer, launch);
  t.match(seen, { isDark: true, history: 1 });
  const [own, ...others] = await computer.pids(CHROMIUM);
  t.not(own, pid);
  t.same(others, []);
  const left = [...(await files(computer))].filter(file => before.has(file)).map(file => file.replace(/^\d+ /, ''));
  t.same(
    left.filter(path => !OTHERS.test(path)),
    [],
    'nothing of the one before is left',
  );
});

t.test('a profile is loaded in the place of the prepared one', async t => {
  const first = await start(t, await prepared(t));
  t.ok(first.service.isOpen);
  const computer = await prepared(t);
  const site = await computer.serve(PAGE);
  const service = await Service.connect(t, computer);
  service.tell(launchOf({ start_url: START, profile: { load: true, save: false } }));
  const saved = await Computer.start(t);
  const saving = await Service.connect(t, saved);
  await saving.run(launchOf({ profile: { load: false, save: true } }));
  const profile = Buffer.from(await (await saved.request('GET', '/profile')).arrayBuffer());
  t.equal((await computer.request('PUT', '/profile', profile)).status, 204);
  await until('its page is loaded', () => site.reports.length === 1);
  t.match(site.reports[0], { history: 1 });
});

t.test('a page cannot tell either that its browser was still starting', async t => {
  const starting = await prepared(t, COMMON_PREPARATION, false);
  await until('Chromium runs', async () => (await starting.pids(CHROMIUM)).length === 1);
  const [taken, usual] = [await start(t, starting), await start(t, await prepared(t, null))];
  t.same(settled(taken.seen), settled(usual.seen));
  t.same(taken.headers, usual.headers);
  t.equal(taken.site.visits.length, 1);
  const tabs = () => taken.service.call('tabs.query', {}) as Promise<{ url: string; active: boolean }[]>;
  await until('the blank page is gone', async () => (await tabs()).length === 1);
  t.match(await tabs(), [{ url: START, active: true }]);
});

t.test('a launch may come while the browser is being prepared', async t => {
  for (const chromium of [{ start_url: START }, { start_url: START, dark: true }]) {
    const computer = await prepared(t, COMMON_PREPARATION, false);
    const { seen, site } = await start(t, computer, launchOf(chromium));
    t.match(seen, { history: 1, isDark: chromium.dark === true });
    t.equal(site.visits.length, 1);
    t.equal((await computer.pids(CHROMIUM)).length, 1);
    t.notMatch(await computer.log(), /EEXIST|could not be prepared/);
  }
});

t.test('no page of the browser’s own is loaded in advance, which would take a third of its memory', async t => {
  const computer = await prepared(t);
  t.same(await computer.pids(/--top-chrome-webui/), []);
});

// tags: containers
import t from 'tap';
import { TAB_METHODS } from '../../../src/protocol/tabs.js';
import { until } from '../../fixtures/until.js';
import { ACTIVATES } from '../../fixtures/pages/user-activation.js';
import { Computer } from './computer.js';
import { launchOf, Service } from './service.js';

interface Tab {
  id: number;
  windowId: number;
  index: number;
  active: boolean;
  url: string;
  title: string;
  groupId: number;
  discarded: boolean;
}

const PAGE = `<!doctype html><html lang="en"><title>here</title>
<p>This is a sentence in plain English, long enough to be known as such.
<script>
${ACTIVATES}
addEventListener('mousedown', event => { if (activates(event)) document.title = 'touched'; });
</script>`;

const computer = await Computer.start(t);
const service = await Service.connect(t, computer);
const site = await computer.serve(PAGE);
await service.run(launchOf({ start_url: 'http://localhost:8000/start' }));
await service.browserAnswers();

const tabs = (method: string, ...args: unknown[]) => service.call(`tabs.${method}`, ...args);
const url = (path: string) => `http://localhost:8000/${path}`;

/** The tab, once its page is loaded. */
const loaded = (id: number, path: string) =>
  until(`${path} is loaded`, async () => {
    const tab = (await tabs('get', id)) as Tab & { status: string };
    return tab.status === 'complete' && tab.url === url(path) && tab;
  });

t.test('tabs are called as with chrome.tabs', async t => {
  const called = new Set<string>();
  const call = (method: (typeof TAB_METHODS)[number], ...args: unknown[]) => {
    called.add(method);
    return tabs(method, ...args);
  };

  const [first] = (await call('query', { active: true })) as [Tab];
  await loaded(first.id, 'start');
  t.match(await call('get', first.id), { id: first.id, active: true, url: url('start'), title: 'here' });

  const second = (await call('create', { url: url('second'), active: false })) as Tab;
  t.match(await loaded(second.id, 'second'), { index: 1, active: false });
  t.match(await call('update', second.id, { active: true }), { id: second.id, active: true });
  // Chromium's history skips pages that nobody touched; of the touch it hears before it hears of the title.
  await until('the page is touched', async () => {
    service.click(0.5, 0.5);
    const touched = async () => ((await tabs('get', second.id)) as Tab).title === 'touched';
    return until('it says so', touched, 300).catch(() => false);
  });
  t.match(await call('query', { active: true }), [{ id: second.id }]);
  t.match(await call('update', null, { url: url('third') }), { id: second.id }, 'null stands for an argument left out');
  await loaded(second.id, 'third');

  t.equal(await call('goBack', second.id), null);
  await loaded(second.id, 'second');
  t.equal(await call('goForward', second.id), null);
  await loaded(second.id, 'third');
  const visits = site.visits.length;
  t.equal(await call('reload', second.id, { bypassCache: true }), null);
  await until('the page is asked for again', () =>
    site.visits.slice(visits).some(({ headers }) => headers['cache-control'] === 'no-cache'),
  );
  await loaded(second.id, 'third');

  t.equal(await call('setZoom', second.id, 1.5), null);
  t.equal(await call('getZoom', second.id), 1.5);
  t.equal(await call('setZoomSettings', second.id, { scope: 'per-tab' }), null);
  t.match(await call('getZoomSettings', second.id), { scope: 'per-tab', mode: 'automatic' });
  t.equal(await call('detectLanguage', second.id), 'en');

  const copy = (await call('duplicate', second.id)) as Tab;
  t.equal(copy.index, 2);
  await loaded(copy.id, 'third');
  t.match(await call('move', copy.id, { index: 0 }), { id: copy.id, index: 0 });
  t.match(await call('highlight', { tabs: [0, 1] }), { tabs: Array }, 'a window');
  const group = await call('group', { tabIds: [copy.id, first.id] });
  t.match(await tabs('get', copy.id), { groupId: group });
  t.equal(await call('ungroup', [copy.id, first.id]), null);
  t.match(await tabs('get', copy.id), { groupId: -1 });
  await tabs('update', first.id, { active: true });
  t.match(await call('discard', copy.id), { discarded: true });
  const left = ((await tabs('query', {})) as Tab[]).length;
  t.equal(await call('remove', second.id), null);
  t.equal(((await tabs('query', {})) as Tab[]).length, left - 1);

  t.same([...called].sort(), [...TAB_METHODS].sort(), 'all methods were called');
});

t.test("errors have Chrome's own text", async t => {
  await t.rejects(tabs('get', 987654), { code: 'tab_error', message: 'No tab with id: 987654.' });
  await t.rejects(tabs('get', 'one'), {
    code: 'tab_error',
    message: /^Error in invocation of tabs\.get\(integer tabId/,
  });
  await t.rejects(tabs('query'), { code: 'tab_error', message: /^Error in invocation of tabs\.query/ });
  for (const method of [
    'executeScript',
    'captureVisibleTab',
    'onCreated',
    'constructor',
    '__proto__',
    'get.call',
    '',
  ]) {
    await t.rejects(tabs(method), { code: 'unknown_method' }, `${method || 'no name'} is no method`);
  }
});

t.test("events have Chrome's own arguments", async t => {
  const told = (name: string, matches: (args: unknown[]) => boolean) =>
    until(name, () => service.events.some(event => event.name === `tabs.${name}` && matches(event.args)));
  service.events.length = 0;
  const tab = (await tabs('create', { url: url('events') })) as Tab;
  const isTab = (id: unknown) => id === tab.id;
  await told('onCreated', ([created]) => isTab((created as Tab).id));
  await told('onActivated', ([info]) => isTab((info as { tabId: number }).tabId));
  await told('onHighlighted', ([info]) => (info as { tabIds: number[] }).tabIds.includes(tab.id));
  await told('onUpdated', ([id, change, after]) => {
    return isTab(id) && (change as { status?: string }).status === 'complete' && (after as Tab).url === url('events');
  });
  await tabs('move', tab.id, { index: 0 });
  await told('onMoved', ([id, info]) => isTab(id) && (info as { toIndex: number }).toIndex === 0);
  await tabs('setZoom', tab.id, 2);
  await told('onZoomChange', ([info]) => (info as { tabId: number; newZoomFactor: number }).newZoomFactor === 2);
  const other = (await tabs('create', { url: url('other') })) as Tab;
  const discarded = (await tabs('discard', tab.id)) as Tab;
  if (discarded.id !== tab.id) await told('onReplaced', ([added, removed]) => added === discarded.id && isTab(removed));
  await tabs('remove', other.id);
  await told('onRemoved', ([id]) => id === other.id);
  t.pass('all came');
});

t.test('pages on which users could disable or inspect the extension are blocked', async t => {
  const { id } = (await tabs('create', {})) as Tab;
  const titleOf = async (page: string) => {
    await tabs('update', id, { url: page });
    const tab = await until(`${page} is loaded`, async () => {
      const now = (await tabs('get', id)) as Tab & { status: string };
      return now.status === 'complete' && now.url.startsWith(page) && now.title !== '' && now;
    });
    return tab.title;
  };
  t.equal(await titleOf('chrome://version'), 'About Version');
  for (const page of ['extensions', 'flags', 'inspect', 'net-export', 'serviceworker-internals']) {
    t.match(await titleOf(`chrome://${page}`), `chrome://${page}`, 'the title of an error page is its address');
  }
  await tabs('remove', id);
});

t.test('the tabs can be called again after a crash of the browser', async t => {
  const told = service.states.length;
  await computer.kill(/chromium\/chromium (?!--type).*--user-data-dir/);
  await until('it is started again', () => service.states.slice(told).some(({ state }) => state === 'restarting'));
  t.ok(await until('they answer', () => tabs('query', {}).catch(() => false)));
});

// tags: containers
import t from 'tap';
import type { Tab } from '../../src/web/sdk/index.js';
import { openBrowser } from '../fixtures/viewers/browser.js';
import { embed, told, type Embedding } from '../fixtures/pages/embedding-page.js';
import type { RecordedSession } from '../fixtures/services/recorded-session.js';
import { until } from '../fixtures/until.js';

declare const embedding: Embedding;
const browser = await openBrowser(t);

const calls = (session: RecordedSession) =>
  session.control.flatMap(message => (message.type === 'call' ? [message] : []));

t.test('tabs are called as with chrome.tabs, with its results and its own errors', async t => {
  const [session, page] = await embed(t, browser);
  await page.evaluate(() => embedding.mount());
  session.results['tabs.query'] = { value: [{ id: 7, url: 'https://example.test/' }] };
  session.results['tabs.remove'] = {};
  session.results['tabs.update'] = { error: { code: 'tab_error', message: 'No tab with id: 9.' } };
  const answers = await page.evaluate(async () => {
    const { tabs } = embedding.session;
    const [tab] = await tabs.query({ active: true });
    const removed = await tabs.remove([7, 8]);
    const error = await tabs
      .update(9, { active: true })
      .catch((error: Error & { code: string }) => `${error.name} ${error.code}: ${error.message}`);
    await tabs
      .reload(undefined, (() => {}) as never)
      .catch((error: Error) => embedding.told.push(['callback', error.message]));
    void tabs.reload(undefined, undefined);
    return { id: tab?.id, removed, error };
  });
  t.same(answers, { id: 7, removed: null, error: 'CallError tab_error: No tab with id: 9.' });
  t.same(
    calls(session).map(({ method, args }) => [method, args]),
    [
      ['tabs.query', [{ active: true }]],
      ['tabs.remove', [[7, 8]]],
      ['tabs.update', [9, { active: true }]],
      ['tabs.reload', []],
    ],
  );
  t.match((await told(page, 'callback'))[0], /no callbacks/);
});

t.test('tab events reach listeners until they are removed', async t => {
  const [session, page] = await embed(t, browser);
  await page.evaluate(() => embedding.mount());
  await page.evaluate(() => {
    const { onUpdated, onCreated } = embedding.session.tabs;
    const listener = (id: number, change: object, tab: Tab) =>
      void embedding.told.push(['updated', [id, change, tab.title]]);
    const faulty = () => {
      throw new Error('the page’s own mistake');
    };
    onUpdated.addListener(faulty);
    onUpdated.addListener(listener);
    const once = () => {
      onCreated.removeListener(once);
      embedding.told.push(['created', onCreated.hasListener(once)]);
    };
    onCreated.addListener(once);
  });
  for (const title of ['One', 'Two'])
    session.send({ type: 'event', name: 'tabs.onUpdated', args: [7, { title }, { id: 7, title }] });
  for (const id of [1, 2]) session.send({ type: 'event', name: 'tabs.onCreated', args: [{ id }] });
  session.send({ type: 'pointer', user_id: 'last' });
  await told(page, 'cursor');
  t.same(await told(page, 'updated'), [
    [7, { title: 'One' }, 'One'],
    [7, { title: 'Two' }, 'Two'],
  ]);
  t.same(await told(page, 'created'), [false]);
});

t.test('roles and permissions are granted and revoked, and refusals say why', async t => {
  const [session, page] = await embed(t, browser);
  await page.evaluate(() => embedding.mount({ adminToken: 'admin' }));
  session.results['setPermissions'] = { value: { priority: 2, control_disabled: false } };
  session.results['addRoles'] = { value: {} };
  session.results['removeRoles'] = { error: { code: 'role_required', message: 'This needs the admin token.' } };
  const answers = await page.evaluate(async () => {
    const { session } = embedding;
    const words = (error: Error & { code?: string }) => [error.name, error.code, error.message];
    return [
      await session.setPermissions('u2', { priority: 2 }),
      await session.addRoles(['u2'], ['cursor_data'], true),
      await session.removeRoles(['u2'], ['control']).catch(words),
      await session.setPermissions('', {}).catch(words),
      await session.addRoles('u2' as never, []).catch(words),
    ];
  });
  t.match(answers, [
    { priority: 2, control_disabled: false },
    undefined,
    ['CallError', 'role_required', 'This needs the admin token.'],
    ['TypeError', undefined, /^userId must/],
    ['TypeError', undefined, /^userIds must/],
  ]);
  t.same(
    calls(session).map(({ method, args }) => [method, args]),
    [
      ['setPermissions', ['u2', { priority: 2 }]],
      ['addRoles', [['u2'], ['cursor_data'], true]],
      ['removeRoles', [['u2'], ['control'], false]],
    ],
  );
});

t.test('pending calls when the connection is lost, and calls without one, are rejected', async t => {
  const [session, page] = await embed(t, browser);
  await page.evaluate(() => embedding.mount());
  await page.evaluate(() => {
    const ask = (name: string) =>
      embedding.session.tabs
        .query({})
        .catch(({ name: kind, code }: Error & { code: string }) => embedding.told.push([name, `${kind} ${code}`]));
    Object.assign(window, { ask });
    void ask('pending');
  });
  await until('the call is there', () => calls(session).length === 1);
  await session.close();
  t.same(await told(page, 'pending'), ['CallError connection_lost']);
  await page.evaluate(() => (window as unknown as { ask(name: string): unknown }).ask('without'));
  t.same(await told(page, 'without'), ['CallError connection_lost']);
  await session.listen();
  session.results['tabs.query'] = { value: [] };
  await until('the viewer is back', () => session.sockets.size === 1);
  const query = () => page.evaluate(() => embedding.session.tabs.query({}).catch(() => null));
  t.same(await until('calls are answered again', query), []);
  await page.evaluate(
    () => (embedding.session.destroy(), (window as unknown as { ask(name: string): unknown }).ask('over')),
  );
  t.same(await told(page, 'over'), ['CallError connection_lost']);
});

t.test('pages are told of others’ pointers and of their viewer’s permissions', async t => {
  const [session, page] = await embed(t, browser);
  await page.evaluate(() => embedding.mount());
  const userId = await page.evaluate(() => embedding.session.userId);
  t.same(await told(page, 'access'), [{ admin: false, roles: ['control', 'resize'], permissions: {}, control: true }]);
  session.send({ type: 'pointer', user_id: 'u2', x: 0.25, y: 1 });
  session.send({ type: 'pointer', user_id: 'u2' });
  session.send({
    type: 'pointers',
    pointers: [{ user_id: 'u3', x: 0.5, y: 0.5 }, { user_id: userId, x: 0, y: 0 }, { user_id: 'u2' }],
  });
  session.send({ type: 'access', admin: false, roles: [], permissions: { control_disabled: true } });
  await until('all is told', async () => (await told(page, 'access')).length === 2);
  const gone = { x: null, y: null, clientX: null, clientY: null };
  t.match(await told(page, 'cursor'), [
    { x: 0.25, y: 1, clientX: Number, clientY: Number, userId: 'u2' },
    { ...gone, userId: 'u2' },
    { x: 0.5, y: 0.5, clientX: Number, clientY: Number, userId: 'u3' },
    { ...gone, userId: 'u2' },
  ]);
  t.equal((await told(page, 'cursor')).length, 4, 'but not of its own');
});

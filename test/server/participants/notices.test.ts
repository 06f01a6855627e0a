import t from 'tap';
import type { Dialogs, Role, SessionEvent } from '../../../src/protocol/generated/schemas.js';
import { SESSION, startSession } from '../../fixtures/services/session-host.js';
import { StreamClient } from '../../fixtures/viewers/stream-client.js';
import { until } from '../../fixtures/until.js';

const defaults = (...roles: Role[]) => ({ defaults: { roles, control_disabled: false } });
const event: SessionEvent = { type: 'event', name: 'tabs.onCreated', args: [{ id: 7 }] };
const download = (id: string) => ({ type: 'download', id, name: `${id}.txt`, size: 3 }) as const;
const dialogs: Dialogs = {
  type: 'dialogs',
  dialogs: [{ id: 'a', type: 'confirm', tab_id: 3, origin: 'https://example.com', message: 'Really?' }],
};
const chooser = { type: 'file_chooser', open: true, multiple: true } as const;

t.test('events, downloads and file choosers are sent to viewers with the role', async t => {
  const { agent, url } = await startSession(t, defaults('chrome_apis'));
  const viewer = await StreamClient.join(url);
  const admin = await StreamClient.join(url, { admin_token: `admin-${SESSION}` });
  for (const notice of [event, download('a'), chooser]) agent.tell(notice);
  t.same(await admin.heard('file_chooser'), chooser);
  t.same(admin.all('download'), [download('a')]);
  t.same(admin.all('event'), [event]);
  t.same(await viewer.heard('event'), event);
  t.same([...viewer.all('download'), ...viewer.all('file_chooser')], []);
});

t.test('a chooser needs the roles for uploads and control', async t => {
  const { agent, url } = await startSession(t, defaults('file_upload'));
  const viewer = await StreamClient.join(url);
  agent.tell(chooser);
  agent.tell({ type: 'state', state: 'restarting' });
  await viewer.heard('session', ({ state }) => state === 'restarting');
  t.same(viewer.all('file_chooser'), []);
});

t.test('dialogs are sent to viewers with the role control, also to those who join later', async t => {
  const { agent, url } = await startSession(t, defaults('control'));
  const viewer = await StreamClient.join(url);
  agent.tell(dialogs);
  t.same(await viewer.heard('dialogs'), dialogs);
  const later = await StreamClient.join(url);
  t.same(await later.heard('dialogs'), dialogs);
  agent.tell({ type: 'dialogs', dialogs: [] });
  await viewer.heard('dialogs', ({ dialogs }) => dialogs.length === 0);
  const last = await StreamClient.join(url);
  agent.tell({ type: 'state', state: 'restarting' });
  await last.heard('session', ({ state }) => state === 'restarting');
  t.same(last.all('dialogs'), []);
});

t.test('whoever only watches is told of no dialogs', async t => {
  const { agent, url } = await startSession(t, defaults('chrome_apis'));
  const viewer = await StreamClient.join(url);
  agent.tell(dialogs);
  agent.tell({ type: 'state', state: 'restarting' });
  await viewer.heard('session', ({ state }) => state === 'restarting');
  t.same(viewer.all('dialogs'), []);
});

t.test('who may control knows the windows: those of now when joining, and the newest after many changes', async t => {
  const windows = (title: string) => ({
    type: 'windows' as const,
    windows: [{ id: 7, kind: 'browser' as const, title, active: true, x: 0, y: 0, width: 1280, height: 720 }],
  });
  const { agent, url } = await startSession(t, defaults('control'));
  const viewer = await StreamClient.join(url);
  for (let i = 0; i < 40; i++) agent.tell(windows(String(i)));
  await viewer.heard('windows', message => message.windows[0]?.title === '39');
  t.ok(viewer.all('windows').length < 20, `${viewer.all('windows').length} lists`);
  const later = await StreamClient.join(url);
  t.same(await later.heard('windows'), windows('39'));

  const watching = await startSession(t, defaults());
  const watcher = await StreamClient.join(watching.url);
  watching.agent.tell(windows('a'));
  watching.agent.tell({ type: 'state', state: 'restarting' });
  await watcher.heard('session', ({ state }) => state === 'restarting');
  t.same(watcher.all('windows'), []);
});

t.test('whoever joins later, or becomes an admin, is told of downloads and of an open chooser, once', async t => {
  const { agent, url } = await startSession(t, defaults('file_download'));
  const first = await StreamClient.join(url);
  for (let i = 0; i < 120; i++) agent.tell(download(String(i)));
  agent.tell(download('119'));
  agent.tell(chooser);
  await first.heard('download', ({ id }) => id === '119');
  const second = await StreamClient.join(url);
  await until('the kept ones', () => second.all('download').length === 100);
  t.equal(second.all('download')[0]?.id, '20');
  second.tell({ type: 'admin', admin_token: `admin-${SESSION}` });
  await second.heard('file_chooser');
  t.equal(second.all('download').length, 100);
  t.equal(first.all('download').length, 120);

  agent.tell({ type: 'file_chooser', open: false });
  await second.heard('file_chooser', ({ open }) => !open);
  const third = await StreamClient.join(url, { admin_token: `admin-${SESSION}` });
  await until('downloads', () => third.all('download').length === 100);
  t.same(third.all('file_chooser'), []);
});

t.test('a container that invents downloads floods nobody', async t => {
  const { agent, url } = await startSession(t, defaults('file_download'));
  const viewer = await StreamClient.join(url);
  const begun = performance.now();
  for (let i = 0; i < 1000; i++) agent.tell(download(String(i)));
  agent.tell({ type: 'state', state: 'restarting' });
  await viewer.heard('session', ({ state }) => state === 'restarting');
  const most = 201 + ((performance.now() - begun) / 1000) * 5;
  t.ok(viewer.all('download').length < most, `${viewer.all('download').length} of 1000`);
});

t.test("a ticket grants its viewer's rights, while the viewer is connected", async t => {
  const { host, url } = await startSession(t, defaults('file_upload'));
  const viewer = await StreamClient.join(url);
  const { user_id, ticket = '' } = await viewer.heard('welcome');
  t.match(host.connection().room.byTicket(ticket), {
    userId: user_id,
    access: { admin: false, roles: ['file_upload'] },
  });
  viewer.tell({ type: 'admin', admin_token: `admin-${SESSION}` });
  await viewer.heard('access', ({ admin }) => admin);
  t.match(host.connection().room.byTicket(ticket), { access: { admin: true } });
  t.equal(host.connection().room.byTicket(`${ticket}x`), undefined);
  viewer.leave();
  await until('nothing', () => host.connection().room.byTicket(ticket) === undefined);
});

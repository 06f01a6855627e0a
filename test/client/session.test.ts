import t from 'tap';
import { BerthClient, SessionClient } from '../../src/client/index.js';
import { serveInProcess } from '../fixtures/services/in-process.js';
import { StreamClient } from '../fixtures/viewers/stream-client.js';

const { url, apiKey, agent } = await serveInProcess(t);
const berth = new BerthClient({ url, apiKey });
const { embed_url, admin_token, session_id } = await berth.start();
const session = berth.session(embed_url, admin_token);
const join = () => StreamClient.join(embed_url.replace(/^http/, 'ws').replace('?', '/stream?'));

t.test('tabs are called as in Chrome', async t => {
  const called: unknown[] = [];
  agent.onCall = (method, args) => {
    called.push([method, args]);
    if (method === 'tabs.remove') return {};
    if (method === 'tabs.get') return { error: { code: 'tab_error', message: 'No tab with id: 9.' } };
    return { value: { id: 3, active: true } };
  };
  t.match(await session.tabs.update(3, { active: true }), { id: 3, active: true });
  t.equal(await session.tabs.remove(3), null);
  await t.rejects(session.tabs.get(9), { status: 400, code: 'tab_error', message: 'No tab with id: 9.' });
  t.same(called, [
    ['tabs.update', [3, { active: true }]],
    ['tabs.remove', [3]],
    ['tabs.get', [9]],
  ]);
});

t.test('dialogs are listed and answered', async t => {
  const called: unknown[] = [];
  const dialog = { id: 'd1', type: 'prompt', tab_id: 3, origin: 'https://example.com', message: 'Who?' };
  agent.onCall = (method, args) => {
    called.push([method, args]);
    if (args[0] === 'gone')
      return { error: { code: 'dialog_not_found', message: 'This dialog is not open any more.' } };
    return { value: method === 'dialogs.list' ? [dialog] : null };
  };
  t.same(await session.dialogs.list(), [dialog]);
  await session.dialogs.accept('d1', { text: 'Ada' });
  await session.dialogs.accept('d1');
  await session.dialogs.dismiss('d1');
  await t.rejects(session.dialogs.dismiss('gone'), { status: 404, code: 'dialog_not_found' });
  const many = { text: 'x'.repeat(10_001) };
  await t.rejects(session.dialogs.accept('d1', many), { code: 'invalid_body', details: [{ path: '/1/text' }] });
  await t.rejects(session.dialogs.accept('d1', { name: 'Ada' } as object), { code: 'invalid_body' });
  t.same(called, [
    ['dialogs.list', []],
    ['dialogs.accept', ['d1', { text: 'Ada' }]],
    ['dialogs.accept', ['d1']],
    ['dialogs.dismiss', ['d1']],
    ['dialogs.dismiss', ['gone']],
  ]);
});

t.test('windows are listed, brought to the front, closed and moved', async t => {
  const called: unknown[] = [];
  const window = { id: 7, kind: 'popup', title: 'Sign in', active: true, x: 1, y: 2, width: 300, height: 200 } as const;
  agent.onCall = (method, args) => {
    called.push([method, args]);
    if (method === 'windows.close') return { error: { code: 'window_not_found', message: 'There is no window.' } };
    return method === 'windows.list' ? { value: [window] } : { value: null };
  };
  t.same(await session.windows.list(), [window]);
  t.equal(await session.windows.activate(7), undefined);
  await t.rejects(session.windows.close(7), { status: 404, code: 'window_not_found' });
  const bounds = { x: 1, y: 2, width: 3, height: 4 };
  t.equal(await session.windows.setBounds(7, bounds), undefined);
  const tooSmall = session.windows.setBounds(7, { ...bounds, width: 0 });
  await t.rejects(tooSmall, { status: 400, code: 'invalid_body', details: [{ path: '/1/width' }] });
  t.same(called, [
    ['windows.list', []],
    ['windows.activate', [7]],
    ['windows.close', [7]],
    ['windows.setBounds', [7, bounds]],
  ]);
});

t.test('users are listed, granted roles and permissions, and disconnected', async t => {
  const viewer = await join();
  const [user] = await session.listUsers();
  const id = user?.user_id ?? '';
  t.match(user, { admin: false, roles: ['chrome_apis', 'resize', 'control'], connected_at: /Z$/ });
  await session.addRoles([id], ['clipboard_copy']);
  await session.removeRoles([id], ['resize']);
  await session.removeRoles([id], ['control'], true);
  t.match(await session.setPermissions(id, { priority: 2 }), { priority: 2, control_disabled: false });
  t.match((await session.listUsers())[0], {
    roles: ['chrome_apis', 'control', 'clipboard_copy'],
    permissions: { priority: 2 },
  });
  const closed = viewer.closed();
  await session.disconnect(id);
  t.equal(await closed, 4001);
  t.same(await session.listUsers(), []);
  await t.rejects(session.disconnect(id), { status: 404, code: 'user_not_found' });
});

t.test('timeouts are changed, and counters restarted', async t => {
  t.match(await session.changeTimeouts({ inactive: 600, offline: null }), {
    inactive: 600,
    offline: null,
    warning: 60,
  });
  t.match(await session.changeTimeouts(), { inactive: 600, offline: null });
  await t.rejects(session.changeTimeouts({ absolute: 0 }), { code: 'invalid_body', details: [{ path: '/absolute' }] });
  await session.ping();
});

t.test('tokens are renewed, and the client continues with the new ones', async t => {
  const own = await berth.start();
  const client = berth.session(own.embed_url, own.admin_token);
  const first = await client.renewTokens({ embed: true });
  t.not(first.embed_url, own.embed_url);
  t.equal(first.admin_token, own.admin_token);
  t.same(await client.listUsers(), []);
  const second = await client.renewTokens();
  t.not(second.admin_token, own.admin_token);
  t.same(await client.listUsers(), []);
  await t.rejects(berth.session(own.embed_url, own.admin_token).listUsers(), { status: 401, code: 'unauthorized' });
  await t.rejects(client.renewTokens({ admin: false }), { code: 'invalid_body', details: [{ path: '/embed' }] });
});

t.test('bookmarks, pictures and files are passed unchanged', async t => {
  const seen: [string, string][] = [];
  agent.onRequest = (request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      seen.push([`${request.method} ${request.url}`, Buffer.concat(chunks).toString()]);
      if (request.url === '/bookmarks') response.end('{"appended": 2}');
      else if (request.url?.startsWith('/screenshot')) response.setHeader('content-type', 'image/png').end('picture');
      else if (request.url === '/downloads')
        response.end(JSON.stringify({ downloads: [{ type: 'download', id: 'f1', name: 'a.txt', size: 4 }] }));
      else if (request.url?.startsWith('/uploads/')) response.end('{"id": "abc"}');
      else response.setHeader('content-type', 'application/octet-stream').end('file');
    });
  };
  t.equal(await session.appendBookmarks('<DL></DL>'), 2);
  t.equal(await (await session.takeScreenshot(64)).text(), 'picture');
  t.equal(await session.upload('a b.txt', new Blob(['content'])), 'abc');
  t.same(await session.listDownloads(), [{ id: 'f1', name: 'a.txt', size: 4 }]);
  t.equal(await new Response(await session.download('f1')).text(), 'file');
  t.same(seen.slice(0, 3), [
    ['POST /bookmarks', '<DL></DL>'],
    ['GET /screenshot?width=64', ''],
    ['POST /uploads/a%20b.txt', 'content'],
  ]);
  await t.rejects(session.download('not an id'), { status: 404, code: 'download_not_found' });
});

t.test('methods keep their names of before', async t => {
  agent.onRequest = (request, response) => {
    request.resume();
    const answers: Record<string, string> = { '/bookmarks': '{"appended": 1}', '/downloads': '{"downloads": []}' };
    response.setHeader('content-type', 'image/png').end(answers[request.url ?? ''] ?? 'picture');
  };
  t.same(await session.users(), []);
  t.match(await session.timeout({ inactive: 600 }), { inactive: 600 });
  t.equal(await session.bookmarks('<DL></DL>'), 1);
  t.equal(await (await session.screenshot()).text(), 'picture');
  t.same(await session.downloads(), []);
});

t.test('an API key opens a session too, an embed token does not', async t => {
  t.same(await new SessionClient(embed_url, apiKey).listUsers(), []);
  const token = new URL(embed_url).searchParams.get('token') ?? '';
  await t.rejects(new SessionClient(embed_url, token).listUsers(), { status: 403, code: 'admin_required' });
  await t.rejects(new SessionClient(embed_url, 'x').listUsers(), { status: 401, code: 'unauthorized' });
});

t.test("anything but a session's address is refused", async t => {
  t.throws(() => berth.session(url, admin_token), TypeError);
  t.throws(() => berth.session('s/x', admin_token), TypeError);
  t.throws(() => berth.session(embed_url, ''), TypeError);
});

t.test('an ended session says so', async t => {
  await berth.end(session_id);
  await t.rejects(session.listUsers(), { status: 409, code: 'session_ended' });
});

// tags: containers
import t from 'tap';
import { containerOf, shell } from '../../fixtures/engines/docker.js';
import { startSession } from '../../fixtures/pages/pixel-session.js';
import { startService } from '../../fixtures/services/service.js';
import { StreamClient } from '../../fixtures/viewers/stream-client.js';
import { until } from '../../fixtures/until.js';

const LIMIT_BYTES = 2 ** 20;

// Files may fill 40 % of /tmp.
const service = await startService(t, { BERTH_UPLOAD_MAX_MB: '1', BERTH_SESSION_TMP_MB: '64' });
const [session, another] = [await startSession(service, ''), await startSession(service, '')];
const inside = (script: string) => shell(containerOf(service, session.id), script);
/** Downloads what a command prints; under its name only once it is whole, as browsers do. */
const download = (command: string, name: string) =>
  inside(`cd /tmp/downloads; ${command} >.partial && mv .partial "${name}"`);

/** A viewer of a session, with the ticket of its connection. */
async function view(id: string, url: string) {
  const stream = url.replace(/^http/, 'ws').replace('?', '/stream?');
  const client = await StreamClient.join(stream);
  const { ticket = '', user_id } = await client.heard('welcome');
  const change = (call: string, ...roles: string[]) => service.api('POST', `/s/${id}/${call}`, [[user_id], roles]);
  return { client, ticket, change };
}

const viewer = await view(session.id, session.url);

async function request(method: string, path: string, { body, bearer }: { body?: BodyInit; bearer?: string } = {}) {
  const response = await fetch(`${service.url}/s/${session.id}/${path}`, {
    method,
    headers: bearer === undefined ? {} : { authorization: `Bearer ${bearer}` },
    ...(body === undefined ? {} : { body, duplex: 'half' }),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, code: /"code":"(\w+)"/.exec(text)?.[1] };
}

t.test('downloads', async t => {
  await t.test('without the role nothing is offered or downloaded', async t => {
    await download('printf "<script>alert(1)</script>"', 'ü \\"x\\".html');
    const listed = async () =>
      JSON.parse((await request('GET', 'downloads', { bearer: session.adminToken })).text).downloads[0];
    const file = await until('it is listed to admins', listed);
    t.match(file, { name: 'ü "x".html', size: 25 });
    t.same(viewer.client.all('download'), []);
    for (const path of ['downloads', `downloads/${file.id}`]) {
      t.match(await request('GET', `${path}?ticket=${viewer.ticket}`), { status: 403, code: 'role_required' });
      t.match(await request('GET', path), { status: 401, code: 'unauthorized' });
      t.match(await request('GET', `${path}?ticket=nonsense`), { status: 401, code: 'ticket_invalid' });
    }
  });

  await t.test('with the role it is offered, earlier ones too, and served as an attachment', async t => {
    await viewer.change('addRoles', 'file_download');
    const { id } = await viewer.client.heard('download');
    const answer = await request('GET', `downloads/${id}?ticket=${viewer.ticket}`);
    t.equal(answer.status, 200);
    t.equal(answer.text, '<script>alert(1)</script>');
    t.match(Object.fromEntries(answer.headers), {
      'content-type': 'application/octet-stream',
      'content-length': '25',
      'content-disposition': `attachment; filename="_ _x_.html"; filename*=UTF-8''%C3%BC%20%22x%22.html`,
      'x-content-type-options': 'nosniff',
      'content-security-policy': "sandbox; default-src 'none'",
      'cache-control': 'no-store',
    });
  });

  await t.test("API keys and the session's admin token fetch it too, those of others do not", async t => {
    const { id } = await viewer.client.heard('download');
    t.equal((await request('GET', `downloads/${id}`, { bearer: service.apiKey })).status, 200);
    t.equal((await request('GET', `downloads/${id}`, { bearer: session.adminToken })).status, 200);
    t.equal((await request('GET', `downloads/${id}`, { bearer: another.adminToken })).status, 401);
    const stranger = await view(another.id, another.url);
    await service.api('POST', `/s/${another.id}/addRoles`, [
      [(await stranger.client.heard('welcome')).user_id],
      ['file_download'],
    ]);
    t.equal((await request('GET', `downloads/${id}?ticket=${stranger.ticket}`)).status, 401);
    stranger.client.leave();
  });

  await t.test("anything but a file's ID is not found", async t => {
    for (const id of ['unknown', '..%2f..%2fprofile', 'a%20b', 'x'.repeat(65), '%00']) {
      t.match(
        await request('GET', `downloads/${id}`, { bearer: service.apiKey }),
        { status: 404, code: 'download_not_found' },
        id,
      );
    }
  });

  await t.test('a large file arrives complete', async t => {
    await download('head -c 20000000 /dev/urandom', 'large.bin');
    const { id, size } = await viewer.client.heard('download', ({ name }) => name === 'large.bin');
    t.equal(size, 20_000_000);
    const response = await fetch(`${service.url}/s/${session.id}/downloads/${id}?ticket=${viewer.ticket}`);
    const digest = await crypto.subtle.digest('SHA-256', await response.arrayBuffer());
    t.equal(
      Buffer.from(digest).toString('hex'),
      (await inside('sha256sum /tmp/downloads/large.bin')).output.split(' ')[0],
    );
  });

  await t.test('the oldest files make room for new ones', async () => {
    await download('head -c 20000000 /dev/zero', 'newest.bin');
    await viewer.client.heard('download', ({ name }) => name === 'newest.bin');
    const names = async () =>
      (
        JSON.parse((await request('GET', 'downloads', { bearer: service.apiKey })).text) as {
          downloads: { name: string }[];
        }
      ).downloads.map(({ name }) => name);
    await until('the others are gone', async () => (await names()).join() === 'newest.bin');
    await until('they are removed', async () => (await inside('ls /tmp/downloads')).output === 'newest.bin');
  });

  await t.test('revoking the role stops access', async t => {
    await viewer.change('removeRoles', 'file_download');
    const { id } = await viewer.client.heard('download');
    t.equal((await request('GET', `downloads/${id}?ticket=${viewer.ticket}`)).status, 403);
  });
});

t.test('uploads', async t => {
  const upload = (name: string, body: BodyInit, ticket = viewer.ticket) =>
    request('POST', `uploads/${name}?ticket=${ticket}`, { body });

  await t.test('need the role', async t => {
    t.match(await upload('a.txt', 'x'), { status: 403, code: 'role_required' });
    t.match(await upload('a.txt', 'x', 'nonsense'), { status: 401, code: 'ticket_invalid' });
    t.match(await request('POST', 'uploads/a.txt', { body: 'x' }), { status: 401 });
  });

  await t.test('are in the session under their names', async t => {
    await viewer.change('addRoles', 'file_upload');
    const { status, text } = await upload('a%20b%2f..%2fc.txt', 'content');
    t.equal(status, 201);
    const { id } = JSON.parse(text) as { id: string };
    t.equal((await inside(`cat "/tmp/uploads/.uploads/${id}/a b_.._c.txt"`)).output, 'content');
    t.equal(
      (await request('POST', 'uploads/b.txt', { body: '', bearer: session.adminToken })).status,
      201,
      'admins may too',
    );
  });

  await t.test('go into a folder with their paths', async t => {
    const { status, text } = await request('POST', `folders/My%20Tree?ticket=${viewer.ticket}`);
    t.equal(status, 201);
    const { id } = JSON.parse(text) as { id: string };
    const place = `folder=${id}&path=${encodeURIComponent('sub/../deeper')}`;
    t.match(await request('POST', `uploads/a.txt?ticket=${viewer.ticket}&${place}`, { body: 'content' }), {
      status: 201,
      text: id,
    });
    t.equal((await inside(`cd /tmp/uploads/.uploads/${id}; find . -type f`)).output, './My Tree/sub/file/deeper/a.txt');
    for (const [query, field] of [
      ['folder=..', 'folder'],
      ['path=sub', 'folder'],
      [`folder=${id}&path=${'x'.repeat(5000)}`, 'path'],
    ] as const)
      t.match(await request('POST', `uploads/a.txt?ticket=${viewer.ticket}&${query}`, { body: '' }), {
        status: 400,
        code: 'invalid_query',
        text: new RegExp(field),
      });
    t.match(await request('POST', `uploads/a.txt?ticket=${viewer.ticket}&folder=unknown`, { body: '' }), {
      status: 404,
      code: 'upload_not_found',
    });
  });

  await t.test('are limited in size, declared or not', async t => {
    t.equal((await upload('largest', new Uint8Array(LIMIT_BYTES))).status, 201);
    t.match(await upload('larger', new Uint8Array(LIMIT_BYTES + 1)), { status: 413, code: 'body_too_large' });
    const unsaid = new Blob([new Uint8Array(LIMIT_BYTES + 1)]).stream();
    t.match(await upload('unsaid', unsaid), { status: 413, code: 'body_too_large' });
    t.notMatch((await inside('ls /tmp/uploads')).output, /larger|unsaid/);
  });

  await t.test("use no more than their share of the session's space", async t => {
    for (let i = 0; i < 30; i++) await upload(`fill${i}`, new Uint8Array(LIMIT_BYTES));
    const kilobytes = Number((await inside('du -sk /tmp/uploads')).output.split('\t')[0]);
    t.ok(kilobytes > 20_000 && kilobytes < 64 * 1024 * 0.4 + 100, `${kilobytes} kB`);
    t.match((await inside('ls /tmp/uploads')).output, /^fill29$/m);
  });

  await t.test('can be chosen only with the role and control', async t => {
    const { id } = JSON.parse((await upload('c.txt', 'c')).text) as { id: string };
    t.match((await viewer.client.call('files.choose', [id])).error, { code: 'no_chooser' });
    await viewer.change('removeRoles', 'control');
    t.match((await viewer.client.call('files.choose', [id])).error, { code: 'role_required' });
    t.match(await upload('d.txt', 'd'), { status: 403 });
    await viewer.change('addRoles', 'control');
  });
});

t.test('a ticket expires with its connection, and everything with the session', async t => {
  viewer.client.leave();
  await until(
    'the ticket is worthless',
    async () => (await request('GET', `downloads?ticket=${viewer.ticket}`)).status === 401,
  );
  await service.api('DELETE', `/v0/vm/${session.id}`);
  t.match(await request('GET', 'downloads', { bearer: service.apiKey }), { status: 409, code: 'session_ended' });
});

t.test('tickets are not logged', async t => {
  t.notMatch(service.log(), viewer.ticket);
});

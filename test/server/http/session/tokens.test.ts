import t from 'tap';
import { startFakedSession, type FakedSession } from '../../../fixtures/services/faked-session.js';
import { serveInProcess } from '../../../fixtures/services/in-process.js';
import { StreamClient } from '../../../fixtures/viewers/stream-client.js';

const service = await serveInProcess(t);
const start = (options = {}) => startFakedSession(t, options, service);

/** The tokens of an answer. */
const tokensOf = ({ embed_url: url, admin_token: admin }: Record<string, string>) => ({
  embed: new URL(url ?? '').searchParams.get('token') ?? '',
  admin: admin ?? '',
});
const read = async (id: string) =>
  tokensOf((await (await service.api('GET', `/v0/vm/${id}`)).json()) as Record<string, string>);
const streamOf = (id: string, token: string) => `${service.url.replace('http', 'ws')}/s/${id}/stream?token=${token}`;
const page = async (id: string, token: string) => (await fetch(`${service.url}/s/${id}/status?token=${token}`)).status;
const users = async ({ call }: FakedSession, token: string) => (await call('GET', '/users', undefined, token)).status;
const connects = async (id: string, token: string) => {
  const viewer = await StreamClient.connect(streamOf(id, token)).catch((error: Error) => error);
  if (viewer instanceof Error) return viewer.message;
  viewer.leave();
  return 'connected';
};
const REFUSED = /401/;

t.test('both tokens are renewed; the old ones are invalid at once and everywhere', async t => {
  const session = await start();
  const { id, call, embedToken, adminToken } = session;
  const { status, headers, body } = await call('POST', '/tokens');
  const { embed, admin } = tokensOf(body);
  t.same([status, headers.get('cache-control'), body.session_id], [200, 'no-store', id]);
  t.not(embed, embedToken);
  t.not(admin, adminToken);
  t.same(await read(id), { embed, admin }, 'the record has the new ones');

  t.match(await connects(id, embedToken), REFUSED);
  t.match(await connects(id, adminToken), REFUSED);
  t.equal(await page(id, embedToken), 401);
  t.equal(await users(session, adminToken), 401);
  t.equal((await call('POST', '/tokens', {}, adminToken)).status, 401);
  t.same([await connects(id, embed), await connects(id, admin)], ['connected', 'connected']);
  t.equal(await page(id, embed), 200);
  t.equal(await users(session, admin), 200);
  t.equal((await call('POST', '/tokens', {}, embed)).status, 403, 'an embed token renews nothing');

  const again = tokensOf((await call('POST', '/tokens', undefined, service.apiKey)).body);
  t.equal(new Set([embedToken, adminToken, embed, admin, again.embed, again.admin]).size, 6);
  t.match(await connects(id, embed), REFUSED);
  t.equal(await connects(id, again.embed), 'connected');
});

t.test('one token can be renewed without the other', async t => {
  const session = await start();
  const { id, call, embedToken, adminToken } = session;
  const first = tokensOf((await call('POST', '/tokens', { embed: true })).body);
  t.not(first.embed, embedToken);
  t.equal(first.admin, adminToken);
  t.equal(await users(session, adminToken), 200);
  const second = tokensOf((await call('POST', '/tokens', { admin: true, embed: false })).body);
  t.equal(second.embed, first.embed);
  t.equal(await users(session, adminToken), 401);
  t.equal(await connects(id, first.embed), 'connected');
});

t.test('viewers that joined with a renewed token are disconnected for good, the others stay', async t => {
  const { id, call, join, embedToken, adminToken } = await start();
  const [guest, host, owner] = [
    await join(),
    await join({ admin_token: adminToken }),
    await StreamClient.join(streamOf(id, adminToken)),
  ];
  const early = await StreamClient.connect(streamOf(id, embedToken));
  const renewed = tokensOf((await call('POST', '/tokens', { embed: true })).body);
  for (const viewer of [guest, host, early]) t.equal(await viewer.closed(), 4401);
  t.match(guest.all('end'), [{ reason: 'unauthorized' }]);
  t.match((await call('GET', '/users')).body, [{ admin: true }], 'who came with the admin token is still there');

  const later = await StreamClient.join(streamOf(id, renewed.embed));
  later.tell({ type: 'admin', admin_token: adminToken });
  await later.heard('access', ({ admin }) => admin);
  const plain = await StreamClient.join(streamOf(id, renewed.embed));
  await call('POST', '/tokens', { admin: true });
  t.same([await owner.closed(), await later.closed()], [4401, 4401]);
  plain.tell({ type: 'admin', admin_token: adminToken });
  t.match(await plain.heard('refused'), { code: 'admin_token_invalid' }, 'the old one makes nobody an admin');
});

t.test('viewers may stay where that is asked for, and cannot come back', async t => {
  const { id, call, join, embedToken } = await start();
  const viewer = await join();
  t.equal((await call('POST', '/tokens', { keep_viewers: true })).status, 200);
  t.match((await call('GET', '/users', undefined, service.apiKey)).body, [{ admin: false }]);
  viewer.leave();
  t.match(await connects(id, embedToken), REFUSED);
});

t.test('of simultaneous renewals the last one counts', async t => {
  const { id, call } = await start();
  const answers = await Promise.all(Array.from({ length: 10 }, () => call('POST', '/tokens', {}, service.apiKey)));
  t.ok(answers.every(({ status }) => status === 200));
  const embeds = answers.map(({ body }) => tokensOf(body).embed);
  t.equal(new Set(embeds).size, 10);
  const { embed } = await read(id);
  t.ok(embeds.includes(embed));
  for (const token of embeds) t.match(await connects(id, token), token === embed ? 'connected' : REFUSED);
});

t.test('unknown tokens are refused by name, and an ended session has no tokens', async t => {
  const { id, call } = await start();
  for (const [body, path] of [
    [{ embed: false }, '/embed'],
    [{ embed: false, admin: false }, '/embed'],
    [{ admin: 'yes' }, '/admin'],
    [{ link: true }, '/link'],
    [{ keep_viewers: 1 }, '/keep_viewers'],
  ] as const)
    t.match(await call('POST', '/tokens', body), { status: 400, body: { code: 'invalid_body', details: [{ path }] } });
  t.equal((await call('POST', '/tokens', undefined, null)).status, 401);
  await service.api('DELETE', `/v0/vm/${id}`);
  t.match(await call('POST', '/tokens'), { status: 409, body: { code: 'session_ended' } });
});

t.test("a console's tokens can be renewed as well", async t => {
  const { call, embedToken } = await start({ type: 'nes', room_url: 'http://games.example/a.nes' });
  t.not(tokensOf((await call('POST', '/tokens')).body).embed, embedToken);
});

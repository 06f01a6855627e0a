import t from 'tap';
import { MessageType } from '../../../src/protocol/message-type.js';
import type { Session } from '../../../src/server/model/index.js';
import { textMessage } from '../../fixtures/agents/messages.js';
import { startFakedSession } from '../../fixtures/services/faked-session.js';
import { startSession } from '../../fixtures/services/session-host.js';
import { StreamClient } from '../../fixtures/viewers/stream-client.js';
import { until } from '../../fixtures/until.js';

const default_roles = ['chrome_apis', 'resize', 'control', 'cursor_data', 'clipboard_copy', 'file_download'] as const;
const idOf = async (viewer: StreamClient) => (await viewer.heard('welcome')).user_id;
const ticketOf = async (viewer: StreamClient) => (await viewer.heard('welcome')).ticket ?? '';
const PRIVATE = { error: { code: 'privacy_mode' } };
const REFUSED = { status: 409, body: { code: 'privacy_mode' } };
const download = (id: string) => ({ type: 'download', id, name: `${id}.txt`, size: 3 }) as const;

t.test('one user sees, hears and uses the session, all others nothing, until an admin ends that', async t => {
  const session = await startFakedSession(t, { default_roles });
  const { agent, api } = session.service;
  const [admin, ada, bob] = [
    await session.join({ admin_token: session.adminToken }),
    await session.join(),
    await session.join(),
  ];
  const others = [admin, bob];
  agent.sendFrame({ key: true });
  await Promise.all([admin, ada, bob].map(viewer => viewer.saw()));

  t.match(await bob.call('enablePrivacyMode', await idOf(bob)), { error: { code: 'admin_required' } });
  t.match(await admin.call('enablePrivacyMode', 'nobody'), { error: { code: 'user_not_found' } });
  t.match(await admin.call('enablePrivacyMode', await idOf(ada)), { value: {} });
  const told = { user_id: await idOf(ada) };
  for (const viewer of [admin, ada, bob]) t.match(await viewer.heard('privacy'), told, 'everybody is told');
  const late = await session.join();
  t.match(await late.heard('privacy'), told, 'and who comes later');
  others.push(late);

  const had = others.map(({ frames, binary }) => [frames.length, binary.length]);
  const frame = agent.sendFrame();
  for (const type of [MessageType.audio, MessageType.patch, MessageType.cursor])
    agent.send(Buffer.concat([Buffer.of(type), Buffer.alloc(64)]));
  agent.send(textMessage(MessageType.clipboard, 'a secret'));
  agent.tell({ type: 'event', name: 'tabs.onUpdated', args: [] });
  agent.tell(download('statement'));
  await ada.saw(({ id }) => id >= frame);
  await ada.heard('clipboard');
  await ada.heard('event');
  await ada.heard('download');
  t.same(
    others.map(({ frames, binary }) => [frames.length, binary.length]),
    had,
    'no picture, no sound, no cursor',
  );
  for (const type of ['clipboard', 'copied', 'event', 'download'] as const)
    t.same(
      others.flatMap(viewer => viewer.all(type)),
      [],
      `no ${type}`,
    );

  for (const viewer of others) viewer.input({ type: 'key', down: true, keysym: 0x61 });
  t.match(await bob.call('tabs.query', {}), PRIVATE);
  t.match(await admin.call('windows.list'), PRIVATE);
  ada.input({ type: 'key', down: true, keysym: 0x62 });
  await until('her key', () => agent.messages(MessageType.key).length > 0);
  t.equal(agent.messages(MessageType.key)[0]?.bytes[2], 0x62, "others' input is ignored");

  agent.onRequest = (_, response) => response.setHeader('content-type', 'image/png').end('picture');
  t.match(await session.call('GET', '/screenshot'), REFUSED, 'by the admin token');
  t.match(await session.call('GET', '/screenshot', undefined, session.service.apiKey), REFUSED, 'by an API key');
  t.match(await session.call('GET', `/downloads?ticket=${await ticketOf(bob)}`, undefined, null), REFUSED);
  t.match(await session.call('POST', '/tabs.query', [{}]), REFUSED);
  t.match(
    await session.call('POST', '/bookmarks', '<DT>', session.adminToken, { 'content-type': 'text/html' }),
    REFUSED,
  );
  const own = await fetch(`${session.service.url}/s/${session.id}/screenshot?ticket=${await ticketOf(ada)}`);
  t.equal(await own.text(), 'picture', 'she may');
  t.equal((await session.call('GET', '/users')).status, 200, 'who is here is no secret');
  t.equal((await api('GET', `/v0/vm/${session.id}`)).status, 200);

  t.match(await session.call('POST', '/disablePrivacyMode', []), { status: 200 });
  t.match(await bob.heard('privacy', ({ user_id }) => user_id === null), {});
  for (const viewer of others) await viewer.saw(({ id }) => id > frame);
  agent.onRequest = (_, response) =>
    response.end(JSON.stringify({ downloads: [download('statement'), download('old')] }));
  t.match((await session.call('GET', '/downloads')).body, { downloads: [{ id: 'old' }] }, 'her download stays hers');
  t.equal((await session.call('GET', '/downloads/statement')).status, 404);
  t.same(bob.all('download'), []);
  bob.input({ type: 'key', down: true, keysym: 0x63 });
  await until('his key', () => agent.messages(MessageType.key).at(-1)?.bytes[2] === 0x63);
  for (const viewer of [admin, ada, bob, late]) viewer.leave();
});

t.test('it stays while its user is away, whom the ticket of the last connection brings back', async t => {
  const { agent, host, url } = await startSession(t);
  const ada = await StreamClient.join(url);
  await host.perform('enablePrivacyMode', [await idOf(ada)]);
  const ticket = await ticketOf(ada);
  ada.leave();
  const bob = await StreamClient.join(url);
  t.match(await bob.heard('privacy'), { user_id: await idOf(ada) });

  const again = await StreamClient.join(url, { ticket });
  const id = await idOf(again);
  await bob.heard('privacy', ({ user_id }) => user_id === id);
  agent.sendFrame({ key: true });
  await again.saw();
  const thief = await StreamClient.join(url, { ticket });
  await thief.heard('privacy');
  agent.sendFrame({ key: true });
  await again.saw(frame => frame.id === agent.frame);
  t.same([...bob.frames, ...thief.frames], [], 'a ticket is good for one return');

  await until('it is stored', () => host.defaults.at(-1)?.private?.userId === id);
  const restarted = await startSession(t, { defaults: host.defaults.at(-1) as Session['defaults'] });
  const [stranger, returned] = [
    await StreamClient.join(restarted.url),
    await StreamClient.join(restarted.url, { ticket: await ticketOf(again) }),
  ];
  restarted.agent.sendFrame({ key: true });
  await returned.saw();
  t.same(stranger.frames, [], 'also after a restart of the service');
  for (const viewer of [bob, again, thief, stranger, returned]) viewer.leave();
});

t.test('what came in private stays so over restarts of the service, and what came before stays for all', async t => {
  const defaults = { roles: [...default_roles], control_disabled: false };
  const first = await startSession(t, { defaults });
  const ada = await StreamClient.join(first.url);
  first.agent.tell(download('before'));
  await ada.heard('download');
  await first.host.perform('enablePrivacyMode', [await idOf(ada)]);
  first.agent.tell(download('statement'));
  await ada.heard('download', ({ id }) => id === 'statement');
  const isStored = () => first.host.defaults.at(-1)?.downloads?.some(([id]) => id === 'statement');
  await until('it is stored', isStored);

  /** The downloads that a viewer is offered who joins after a restart, when the agent has repeated all. */
  const offered = async (stored: Session['defaults'] | undefined) => {
    const { agent, host, url: next } = await startSession(t, { defaults: stored as Session['defaults'] });
    for (const id of ['before', 'statement']) agent.tell(download(id));
    if (stored?.private !== undefined) await host.perform('disablePrivacyMode', []);
    agent.tell(download('after'));
    const bob = await StreamClient.join(next);
    await bob.heard('download', ({ id }) => id === 'after');
    bob.leave();
    return { ids: bob.all('download').map(({ id }) => id), stored: host.defaults.at(-1) ?? stored };
  };
  const second = await offered(first.host.defaults.at(-1));
  t.same(second.ids, ['before', 'after'], 'in private mode');
  t.same((await offered(second.stored)).ids, ['before', 'after'], 'after it');
  ada.leave();
});

t.test('another user may get it next; who had it is hidden then', async t => {
  const { agent, host, url } = await startSession(t);
  const [ada, bob] = [await StreamClient.join(url), await StreamClient.join(url)];
  await host.perform('enablePrivacyMode', [await idOf(ada)]);
  await host.perform('enablePrivacyMode', [await idOf(bob)]);
  t.match(await ada.heard('privacy', ({ user_id }) => user_id !== ada.all('welcome')[0]?.user_id), {
    user_id: await idOf(bob),
  });
  const { length } = ada.frames;
  agent.sendFrame({ key: true });
  await bob.saw(({ id }) => id === agent.frame);
  t.equal(ada.frames.length, length);
  for (const viewer of [ada, bob]) viewer.leave();
});

t.test('what cannot be stored does not come into force', async t => {
  const { agent, host, url } = await startSession(t);
  const [ada, bob] = [await StreamClient.join(url), await StreamClient.join(url)];
  host.keeping = () => Promise.reject(new Error('the database is down'));
  await t.rejects(host.perform('enablePrivacyMode', [await idOf(ada)]), { message: 'the database is down' });
  agent.sendFrame({ key: true });
  await bob.saw(({ id }) => id === agent.frame);
  t.same(bob.all('privacy'), []);
  for (const viewer of [ada, bob]) viewer.leave();
});

t.test('users say what they are called where the session lets them', async t => {
  const named = await startFakedSession(t, { user_names: true });
  const own = await named.join({ name: ' Ada\u202e  Lovelace ' });
  const nameless = await named.join({ name: '\u200b' });
  t.match((await named.call('GET', '/users')).body, [{ name: 'Ada Lovelace' }, { name: 'Guest 2' }]);
  const numbered = await startFakedSession(t, {}, named.service);
  const guest = await numbered.join({ name: 'Ada' });
  t.match((await numbered.call('GET', '/users')).body, [{ name: 'Guest 1' }]);
  for (const viewer of [own, nameless, guest]) viewer.leave();
});

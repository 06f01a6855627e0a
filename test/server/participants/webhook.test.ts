import t, { type Test } from 'tap';
import { MessageType } from '../../../src/protocol/message-type.js';
import { freePort } from '../../fixtures/networks/free-port.js';
import { serveInProcess } from '../../fixtures/services/in-process.js';
import { startFakedSession } from '../../fixtures/services/faked-session.js';
import { stopwatch } from '../../fixtures/own-time.js';
import { participantWebhook, say, type WebhookRequest } from '../../fixtures/services/participant-webhook.js';
import type { StreamClient } from '../../fixtures/viewers/stream-client.js';
import { until } from '../../fixtures/until.js';

const BEARER = 'the-bearer-of-the-integrator';

const service = await serveInProcess(t, { BERTH_LOG_LEVEL: 'debug' });
const webhook = await participantWebhook(t);
const auth = { type: 'webhook', value: { url: webhook.url, bearer: BEARER } };
const session = await startFakedSession(t, { auth, default_roles: ['control', 'cursor_data'] }, service);
const userCount = async () => (await session.call('GET', '/users')).body.length as number;

/** Joins without waiting for the welcome. */
async function joining(t: Test, join: object = {}, headers?: Record<string, string>): Promise<StreamClient> {
  const viewer = await session.connect(headers);
  t.teardown(() => viewer.leave());
  viewer.tell({ type: 'join', ...join });
  return viewer;
}

/** Waits until the service has taken all that the viewer has sent. */
async function taken(viewer: StreamClient): Promise<void> {
  const isPong = ([type]: Buffer) => type === MessageType.pong;
  const before = viewer.binary.filter(isPong).length;
  viewer.send(Buffer.concat([Buffer.of(MessageType.ping), Buffer.alloc(8)]));
  await until('the pong', () => viewer.binary.filter(isPong).length > before);
}

t.beforeEach(async () => {
  await until('those of the test before are gone', async () => (await userCount()) === 0);
  webhook.questions.length = 0;
  webhook.answer = ({ response }) => say(response, { authorized: true });
});

t.test('the webhook is called for each connection, with all it needs', async t => {
  const userdata = { name: 'Ada', nested: { ok: [1, null] } };
  const viewer = await joining(t, { userdata }, { 'user-agent': 'A viewer/1.0 (test)' });
  const { user_id } = await viewer.heard('welcome');
  const [question] = webhook.questions;
  t.same(question?.body, { user_id, userdata });
  t.match(question?.headers, {
    authorization: `Bearer ${BEARER}`,
    'content-type': 'application/json',
    'svc-user-agent': 'A viewer/1.0 (test)',
    'svc-connection-ip': '127.0.0.1',
    'svc-connecting-ip': '127.0.0.1',
  });
  t.match(
    await viewer.heard('access'),
    { admin: false, roles: ['control', 'cursor_data'] },
    'no word of roles: the default ones',
  );
  const second = await joining(t);
  t.not((await second.heard('welcome')).user_id, user_id);
  t.same(webhook.questions[1]?.body.userdata, {}, 'without userdata');
});

t.test('nothing is sent before the answer; roles and permissions apply from the first moment', async t => {
  let asked: WebhookRequest | undefined;
  webhook.answer = question => void (asked = question);
  const viewer = await joining(t);
  const { response } = await until('the question', () => asked);
  service.agent.sendFrame({ key: true });
  viewer.tell({ type: 'media', audio: false });
  viewer.input({ type: 'key', down: true, keysym: 0x61 });
  await taken(viewer);
  t.same(viewer.told, []);
  t.same(viewer.frames, []);
  t.equal(await userCount(), 0);

  say(response, {
    authorized: true,
    roles: ['resize'],
    permissions: { priority: 2, control_exclusive: true },
    more: 1,
  });
  await viewer.heard('welcome');
  t.match(viewer.all('access'), [
    {
      roles: ['resize'],
      permissions: { priority: 2, idle_timeout: 0, control_disabled: false, control_exclusive: true },
    },
  ]);
  await until('the wish sent early is kept', () => service.agent.messages(MessageType.stream).at(-1)?.bytes[2] === 0);
  t.same(service.agent.messages(MessageType.key), [], 'input sent early is not');
});

t.test('roles in its answer leave control disabled, permissions can enable it', async t => {
  const disabled = await startFakedSession(t, { auth, control_disable_default: true }, service);
  const controls = async (answer: object) => {
    webhook.answer = ({ response }) => say(response, { authorized: true, ...answer });
    const viewer = await disabled.join();
    t.teardown(() => viewer.leave());
    return (await viewer.heard('access')).controls;
  };
  t.equal(await controls({ roles: ['control'] }), false);
  t.equal(await controls({ roles: ['control'], permissions: { control_disabled: false } }), true);
});

t.test('only 200 with authorized: true admits', async t => {
  const denials: Record<string, (question: WebhookRequest) => void> = {
    'another status': ({ response }) => say(response, { authorized: true }, 201),
    'no content': ({ response }) => void response.writeHead(204).end(),
    'an error': ({ response }) => say(response, { authorized: true }, 500),
    'a redirect': ({ response }) => void response.writeHead(307, { location: webhook.url }).end(),
    false: ({ response }) => say(response, { authorized: false }),
    'no key': ({ response }) => say(response, {}),
    'a text': ({ response }) => say(response, { authorized: 'true' }),
    'a list': ({ response }) => say(response, [{ authorized: true }]),
    null: ({ response }) => say(response, 'null'),
    'no JSON': ({ response }) => say(response, '{"authorized": true'),
    nothing: ({ response }) => say(response, ''),
    'a role that is no text': ({ response }) => say(response, { authorized: true, roles: [7] }),
    'permissions that are a list': ({ response }) => say(response, { authorized: true, permissions: [] }),
    'roles that are no list': ({ response }) => say(response, { authorized: true, roles: 'control' }),
    'a bad permission': ({ response }) => say(response, { authorized: true, permissions: { priority: 'high' } }),
    'a bad permission beside an unknown one': ({ response }) =>
      say(response, { authorized: true, permissions: { king: true, control_disabled: 1 } }),
    'too much': ({ response }) => say(response, { authorized: true, more: 'x'.repeat(65_536) }),
    'a connection cut': ({ response }) => response.destroy(),
    'half an answer': ({ response }) =>
      void response.writeHead(200, { 'content-length': 20 }).write('{"auth', () => response.destroy()),
  };
  for (const [what, answer] of Object.entries(denials)) {
    webhook.questions.length = 0;
    webhook.answer = answer;
    const viewer = await joining(t, { userdata: { password: 'hunter2' } });
    t.equal(await viewer.closed(), 4401, what);
    t.same(viewer.told, [{ type: 'end', reason: 'unauthorized' }], what);
    t.equal(webhook.questions.length, 1, `${what}: asked once`);
  }
  t.equal(await userCount(), 0);
  t.match(service.log(), /viewer denied/);
  for (const secret of [BEARER, webhook.url, 'hunter2', session.embedToken, session.adminToken])
    t.notOk(service.log().includes(secret), 'the log holds no secret');
});

t.test('names that are not known, and null, are ignored, and logged by name', async t => {
  const none = { priority: 0, idle_timeout: 0, control_disabled: false, control_exclusive: false };
  const answers: [answer: object, access: object][] = [
    [
      { permissions: null, roles: null, more: { fields: 1 } },
      { roles: ['control', 'cursor_data'], permissions: none },
    ],
    [{ permissions: { king: true, priority: 3, idle_timeout: null } }, { permissions: { ...none, priority: 3 } }],
    [{ roles: ['field_masking', 'resize', null, 'a secret: hunter2'] }, { roles: ['resize'] }],
    [{ roles: ['king'] }, { roles: [] }],
  ];
  for (const [answer, access] of answers)
    for (let i = 0; i < 2; i++) {
      webhook.answer = ({ response }) => say(response, { authorized: true, ...answer });
      const viewer = await joining(t);
      t.match(await viewer.heard('access'), access, JSON.stringify(answer));
      viewer.leave();
    }
  const lines = service
    .log()
    .split('\n')
    .filter(line => line.includes('unknown names'));
  const ignored = lines.flatMap(line => (JSON.parse(line) as { ignored: string[] }).ignored);
  const names = [
    'permissions',
    'roles',
    'permissions.king',
    'permissions.idle_timeout',
    'roles.field_masking',
    'roles.?',
    'roles.king',
  ];
  t.same(ignored.sort(), names.sort(), 'each once');
  t.notMatch(service.log(), /hunter2/);

  webhook.answer = ({ response }) =>
    say(response, {
      authorized: true,
      permissions: Object.fromEntries(Array.from({ length: 500 }, (_, i) => [`p${i}`, 1])),
    });
  for (let i = 0; i < 3; i++) await (await joining(t)).heard('access');
  t.ok((service.log().match(/permissions\.p\d/g) ?? []).length <= 20, 'some of them');
});

t.test('no answer within 5 s denies, even one that trickles', async t => {
  webhook.answer = ({ response, body }) => {
    if (body.userdata['drip'] !== true) return;
    response.writeHead(200);
    const timer = setInterval(() => response.write(' '), 200);
    response.once('close', () => clearInterval(timer));
  };
  const [begun, watch] = [performance.now(), stopwatch(t)];
  const [silent, dripping] = [await joining(t), await joining(t, { userdata: { drip: true } })];
  t.same(await Promise.all([silent.closed(), dripping.closed()]), [4401, 4401]);
  t.ok(performance.now() - begun > 4990 && watch() < 7000, `${watch()} ms`);
  await until('nothing is left open', () => webhook.open === 0);
});

t.test('a webhook that cannot be reached denies', async t => {
  const url = `http://127.0.0.1:${await freePort()}/`;
  const closed = await startFakedSession(t, { auth: { type: 'webhook', value: { url } } }, service);
  const viewer = await closed.connect();
  viewer.tell({ type: 'join' });
  t.equal(await viewer.closed(), 4401);
});

t.test('a webhook that closes connections after each answer is called on a new one', async t => {
  const used = new Set<object>();
  webhook.answer = ({ response }) => {
    const { socket } = response;
    // As where the question meets the end of the connection on its way.
    if (socket === null || used.has(socket)) return response.destroy();
    used.add(socket);
    say(response, { authorized: true });
  };
  for (let i = 0; i < 3; i++) await (await joining(t)).heard('welcome');
  t.equal(used.size, 3);
});

t.test('without a bearer none is sent', async t => {
  const open = await startFakedSession(t, { auth: { type: 'webhook', value: { url: webhook.url } } }, service);
  const viewer = await open.join();
  t.equal(webhook.questions[0]?.headers.authorization, undefined);
  viewer.leave();
});

t.test('the webhook is told of holders of the admin token, whom its answer cannot keep out', async t => {
  let asked: WebhookRequest | undefined;
  webhook.answer = question => void (asked = question);
  const userdata = { name: 'Ada' };
  const admin = await joining(t, { admin_token: session.adminToken, userdata });
  const { user_id } = await admin.heard('welcome');
  t.match(await admin.heard('access'), { admin: true }, 'before there is an answer');
  const { response, body } = await until('the question', () => asked);
  t.same(body, { user_id, userdata });
  say(response, { authorized: false });
  await until('the denial is logged', () => service.log().includes('denial of an admin is not heeded'));
  await taken(admin);
  t.same(admin.all('end'), []);

  webhook.answer = ({ response }) =>
    say(response, { authorized: true, roles: ['prince'], permissions: { control_disabled: true } });
  const second = await joining(t, { admin_token: session.adminToken });
  await second.heard('welcome');
  await until('the answer is read', () => service.log().includes('roles.prince'));
  await taken(second);
  const [{ roles, permissions } = {}] = second.all('access');
  t.match({ roles, permissions }, { roles: ['control', 'cursor_data'], permissions: { control_disabled: false } });
  t.equal(second.all('access').length, 1, 'nothing has changed');
  t.equal(webhook.questions.length, 2, 'asked once each');

  webhook.answer = ({ response }) => say(response, { authorized: false });
  const wrong = await joining(t, { admin_token: 'wrong' });
  t.equal(await wrong.closed(), 4401);
});

t.test("the address's token is still required", async t => {
  const address = `${service.url}/s/${session.id}/status`;
  t.equal((await fetch(`${address}?token=wrong`)).status, 401);
  t.equal((await fetch(`${address}?token=${session.embedToken}`)).status, 200);
});

t.test('the call is aborted when its viewer leaves', async t => {
  webhook.answer = () => {};
  const viewer = await joining(t);
  await until('the question', () => webhook.open === 1);
  viewer.leave();
  await until('given up', () => webhook.open === 0);
  t.equal(await userCount(), 0);
});

t.test('the call is aborted when the session ends', async t => {
  webhook.answer = () => {};
  const short = await startFakedSession(t, { auth }, service);
  const viewer = await short.connect();
  viewer.tell({ type: 'join' });
  await until('the question', () => webhook.open === 1);
  const closed = viewer.closed();
  await service.api('DELETE', `/v0/vm/${short.id}`);
  t.equal(await closed, 4000);
  await until('given up', () => webhook.open === 0);
});

t.test('many at once: 32 concurrent calls, and everybody gets an answer', async t => {
  let most = 0;
  const held: WebhookRequest[] = [];
  const allow = ({ response }: WebhookRequest) => say(response, { authorized: true });
  webhook.answer = question => {
    most = Math.max(most, webhook.open);
    held.push(question);
  };
  const viewers = await Promise.all(Array.from({ length: 100 }, () => joining(t)));
  await until('so many questions are open', () => held.length === 32);
  await Promise.all(viewers.map(taken));
  webhook.answer = question => {
    most = Math.max(most, webhook.open);
    allow(question);
  };
  held.forEach(allow);
  await Promise.all(viewers.map(viewer => viewer.heard('welcome')));
  t.equal(await userCount(), 100);
  t.equal(most, 32, 'at a time');
});

t.test(
  "behind a proxy that is trusted, the viewer's own address is told; under another header prefix if wished",
  async t => {
    const behind = await serveInProcess(t, { BERTH_TRUST_PROXY: '1', BERTH_WEBHOOK_HEADER_PREFIX: 'Acme' });
    const proxied = await startFakedSession(t, { auth }, behind);
    const forwarded = { 'x-forwarded-for': '198.51.100.1, 203.0.113.9' };
    const viewer = await proxied.connect(forwarded);
    viewer.tell({ type: 'join' });
    await viewer.heard('welcome');
    t.match(webhook.questions[0]?.headers, {
      'acme-connection-ip': '203.0.113.9',
      'acme-connecting-ip': '203.0.113.9',
      'acme-user-agent': '',
    });
    t.notOk(Object.keys(webhook.questions[0]?.headers ?? {}).some(name => name.startsWith('svc-')));
    t.match((await proxied.call('GET', '/users')).body, [{ ip: '203.0.113.9' }]);

    const direct = await joining(t, {}, forwarded);
    await direct.heard('welcome');
    t.equal(webhook.questions[1]?.headers['svc-connection-ip'], '127.0.0.1', 'without trust, the header is a claim');
  },
);

t.test('a stopping service leaves no call behind', async t => {
  webhook.answer = () => {};
  const stopping = await serveInProcess(t);
  const last = await startFakedSession(t, { auth }, stopping);
  const viewer = await last.connect();
  viewer.tell({ type: 'join' });
  await until('the question', () => webhook.open === 1);
  const closed = viewer.closed();
  await stopping.service.stop();
  t.equal(await closed, 1012);
  await until('given up', () => webhook.open === 0);
});

t.test('neither record nor list reveals the webhook', async t => {
  const record = await (await service.api('GET', `/v0/vm/${session.id}`)).text();
  t.notMatch(record, BEARER);
  t.notOk(record.includes(webhook.url));
});

import t from 'tap';
import { TAB_METHODS } from '../../../../src/protocol/tabs.js';
import { startFakedSession } from '../../../fixtures/services/faked-session.js';
import { until } from '../../../fixtures/until.js';

const session = await startFakedSession(t);
const { agent } = session.service;
agent.onCall = (method, args) => {
  if (method === 'tabs.get') return { error: { code: 'tab_error', message: `No tab with id: ${String(args[0])}.` } };
  if (method === 'tabs.goBack') return { value: null };
  if (method === 'tabs.reload') return { error: { code: 'out_of_cheese', message: 'No cheese.' } };
  return { value: { method, args } };
};

t.test('tabs.*: the arguments reach the agent, the value is returned', async t => {
  for (const method of TAB_METHODS) {
    const { status, body } = await session.call('POST', `/tabs.${method}`, [1, { active: true }]);
    if (['get', 'goBack', 'reload'].includes(method)) continue;
    t.equal(status, 200, method);
    t.same(body, { method: `tabs.${method}`, args: [1, { active: true }] });
  }
  t.match(await session.call('POST', '/tabs.goBack'), { status: 200, body: null }, 'no result, no body');
  t.same((await session.call('POST', '/tabs.query')).body.args, [], 'an empty body is no arguments');
});

t.test('what Chrome refuses is reported in its own words', async t => {
  const { status, body } = await session.call('POST', '/tabs.get', [7]);
  t.equal(status, 400);
  t.same(body, { code: 'tab_error', message: 'No tab with id: 7.' });
  t.match(await session.call('POST', '/tabs.reload', []), {
    status: 502,
    body: { code: 'agent_failed', message: 'No cheese.' },
  });
});

t.test('a result may be long', async t => {
  agent.onCall = () => ({ value: 'x'.repeat(900_000) });
  t.equal((await session.call('POST', '/tabs.query', [{}])).body.length, 900_000);
});

t.test('bodies are validated, and errors name the field', async t => {
  const refused = async (path: string, body: unknown, field: string) => {
    const answer = await session.call('POST', path, body);
    t.equal(answer.status, 400, `${path} ${JSON.stringify(body)}`);
    t.ok(
      answer.body.details?.some((problem: { path: string }) => problem.path === field),
      JSON.stringify(answer.body),
    );
  };
  await refused('/tabs.update', { active: true }, '');
  await refused('/tabs.update', Array(17).fill(1), '');
  await refused('/addRoles', [], '');
  await refused('/addRoles', [['x'], ['king']], '/1/0');
  await refused('/addRoles', ['x', ['control']], '/0');
  await refused('/removeRoles', [['x'], ['control'], 'yes'], '/2');
  await refused('/removeRoles', [['x'], ['control'], true, 1], '');
  await refused('/setPermissions', ['x', { priority: 1.5 }], '/1/priority');
  await refused('/setPermissions', ['x', { idle_timeout: -1 }], '/1/idle_timeout');
  await refused('/setPermissions', ['x', { king: true }], '/1/king');
  await refused('/files.drop', [['x'], 2, 0], '/1');
  t.match(await session.call('POST', '/tabs.update', '[1'), { status: 400, body: { code: 'invalid_json' } });
  t.match(await session.call('POST', '/tabs.update', ['x'.repeat(300_000)]), { status: 413 });
  t.match(await session.call('POST', '/tabs.captureVisibleTab', []), { status: 404, body: { code: 'not_found' } });
  t.match(await session.call('POST', '/nothing', []), { status: 404, body: { code: 'not_found' } });
});

t.test("access: this session's admin token and API keys, nobody else", async t => {
  const other = await startFakedSession(t, {}, session.service);
  for (const [method, path] of [
    ['POST', '/tabs.query'],
    ['POST', '/addRoles'],
    ['GET', '/users'],
    ['DELETE', '/users/x'],
  ] as const) {
    const as = async (credential: string | null) =>
      (await session.call(method, path, undefined, credential)).body?.code;
    t.equal(await as(null), 'unauthorized');
    t.equal(await as('wrong'), 'unauthorized');
    t.equal(await as(other.adminToken), 'unauthorized', "another session's");
    t.equal(await as(session.embedToken), 'admin_required');
    t.not(await as(session.service.apiKey), 'unauthorized');
  }
  const bare = await session.call('GET', '/users', undefined, null, { authorization: session.adminToken });
  t.equal(bare.status, 200, 'without the word Bearer');
  t.match(await session.call('GET', '/users', undefined, session.embedToken), { status: 403 });
  const unknown = await fetch(`${session.service.url}/s/${'x'.repeat(22)}/users`, {
    headers: { authorization: `Bearer ${session.service.apiKey}` },
  });
  t.match(await unknown.json(), { code: 'session_not_found' });

  await session.service.api('DELETE', `/v0/vm/${other.id}`);
  t.match(await other.call('POST', '/tabs.query', []), { status: 409, body: { code: 'session_ended' } });
  t.match(await other.call('GET', '/users'), { status: 409 });
});

t.test('pages of other origins may call with the admin token', async t => {
  const preflight = await fetch(`${session.service.url}/s/${session.id}/tabs.query`, { method: 'OPTIONS' });
  t.equal(preflight.status, 204);
  t.equal(preflight.headers.get('access-control-allow-origin'), '*');
  t.match(preflight.headers.get('access-control-allow-headers'), /authorization/);
  t.match(preflight.headers.get('access-control-allow-methods'), /DELETE/);
  const answer = await session.call('GET', '/users');
  t.equal(answer.headers.get('access-control-allow-origin'), '*');
  t.equal(answer.headers.get('cache-control'), 'no-store');
});

t.test('a call to an agent that is gone fails instead of hanging', async t => {
  const lost = await startFakedSession(t);
  const answer = lost.call('POST', '/tabs.query', []);
  await until('the call', () =>
    lost.service.agent.controls.some(message => message.type === 'call' && message.method === 'tabs.query'),
  );
  await lost.service.agent.stop();
  t.match(await answer, { status: 503, body: { code: 'agent_lost' } });
});

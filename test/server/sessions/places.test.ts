import t from 'tap';
import { serveInProcess } from '../../fixtures/services/in-process.js';
import { until } from '../../fixtures/until.js';

const startOf = async (answer: Promise<Response>) => {
  const response = await answer;
  return { status: response.status, body: (await response.json()) as Record<string, any> };
};

t.test('a session whose profile is being saved keeps its place until its container is removed', async t => {
  const { api, agent, engine } = await serveInProcess(t, { BERTH_MAX_SESSIONS: '1' });
  let save = () => {};
  agent.onRequest = (_request, response) => void (save = () => response.end('the profile'));
  const { body: first } = await startOf(api('POST', '/v0/vm', { profile: true }));
  const ended = api('DELETE', `/v0/vm/${first['session_id']}`);
  const record = async () =>
    (await api('GET', `/v0/vm/${first['session_id']}`)).json() as Promise<{ termination_date: string | null }>;
  await until('it has ended', async () => (await record()).termination_date !== null);
  t.equal(engine.running.size, 1, 'its container is still there');
  const { status, body } = await startOf(api('POST', '/v0/vm'));
  t.same([status, body['code']], [429, 'capacity']);
  t.equal(engine.running.size, 1);
  save();
  t.equal((await ended).status, 200);
  t.equal(engine.running.size, 0);
  t.equal((await startOf(api('POST', '/v0/vm'))).status, 201);
});

t.test('a tag used by a session of another kind is refused', async t => {
  const { api, engine } = await serveInProcess(t);
  const game = { type: 'nes', room_url: 'https://games.example.com/game.nes' };
  const { status, body: console } = await startOf(api('POST', '/console', { ...game, tag: 'mine' }));
  t.equal(status, 201);
  for (const [path, request] of [
    ['/v0/vm', { tag: 'mine' }],
    ['/console', { ...game, type: 'snes', tag: 'mine' }],
  ] as const) {
    const refused = await startOf(api('POST', path, request));
    t.same([refused.status, refused.body['code']], [409, 'tag_in_use']);
    t.match(refused.body['details'], [{ path: '/tag', message: /kind nes/ }]);
  }
  const again = await startOf(api('POST', '/console', { ...game, tag: 'mine', fps: 60 }));
  t.same([again.status, again.body['session_id']], [200, console['session_id']], 'its own kind finds it');
  t.equal(engine.running.size, 1, 'nothing else was started');
  await api('DELETE', `/v0/vm/${console['session_id']}`);
  t.equal((await startOf(api('POST', '/v0/vm', { tag: 'mine' }))).status, 201, 'it is free when that has ended');
});

t.test('simultaneous starts of two kinds with one tag create one session', async t => {
  const { api, engine } = await serveInProcess(t);
  let open = () => {};
  const opened = new Promise<void>(resolve => (open = resolve));
  let starting = 0;
  engine.hold = () => (starting++, opened);
  const game = { type: 'nes', room_url: 'https://games.example.com/game.nes', tag: 'mine' };
  const starts = Promise.all([startOf(api('POST', '/v0/vm', { tag: 'mine' })), startOf(api('POST', '/console', game))]);
  await until('one starts', () => starting > 0);
  open();
  t.same((await starts).map(({ status }) => status).sort(), [201, 409]);
  t.equal(starting, 1);
});

import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { EngineError } from '../../../src/server/engines/engine.js';
import { serveInProcess } from '../../fixtures/services/in-process.js';
import { until } from '../../fixtures/until.js';

interface Answer {
  status: number;
  body: { session_id: string; code?: string; message?: string };
}

/** Starts a session with a key, at a service. */
async function start(
  { url, apiKey }: { url: string; apiKey: string },
  key: string,
  { body = {}, path = '/v0/vm' }: { body?: object; path?: string } = {},
): Promise<Answer> {
  const answer = await fetch(url + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}`, 'idempotency-key': key, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return { status: answer.status, body: (await answer.json()) as Answer['body'] };
}

const key = () => randomUUID();

t.test('a start that is repeated with its key is answered the same, and starts nothing', async t => {
  const service = await serveInProcess(t);
  const id = key();
  const first = await start(service, id, { body: { width: 800, height: 600 } });
  t.equal(first.status, 201);
  t.same(await start(service, id, { body: { height: 600, width: 800 } }), first);
  t.same(await start(service, `"${id}"`, { body: { width: 800, height: 600 } }), first, 'in quotes');
  t.equal(service.engine.running.size, 1);
  await service.api('DELETE', `/v0/vm/${first.body.session_id}`);
  t.same(await start(service, id, { body: { width: 800, height: 600 } }), first, 'although it has ended');
  t.not((await start(service, key())).body.session_id, first.body.session_id);
});

t.test('a start that has found the session of its tag finds the same again', async t => {
  const service = await serveInProcess(t);
  const [made, found] = [key(), key()];
  const first = await start(service, made, { body: { tag: 'one' } });
  const second = await start(service, found, { body: { tag: 'one' } });
  t.same([first.status, second.status, second.body], [201, 200, first.body]);
  await service.api('DELETE', `/v0/vm/${first.body.session_id}`);
  t.same(await start(service, found, { body: { tag: 'one' } }), second);
  t.same(await start(service, made, { body: { tag: 'one' } }), first);
  t.equal(service.engine.running.size, 0);
});

t.test('a key is for one request, of one tenant and API key', async t => {
  const keys = [randomBytes(24).toString('base64url'), randomBytes(24).toString('base64url')];
  const { url, engine } = await serveInProcess(t, { BERTH_API_KEYS: keys.join(',') });
  const [service, another] = keys.map(apiKey => ({ url, apiKey }));
  if (service === undefined || another === undefined) throw new Error('two keys');
  await start(service, 'order-17', { body: { tenant_id: 'a' } });
  const game = { type: 'nes', room_url: 'http://games.example/a.nes', tenant_id: 'a' };
  for (const [body, path] of [
    [{ tenant_id: 'a', width: 800, height: 600 }, '/v0/vm'],
    [{ tenant_id: 'a' }, '/v0/android'],
    [game, '/console'],
  ] as const) {
    const refused = await start(service, 'order-17', { body, path });
    t.match(refused, { status: 422, body: { code: 'idempotency_key_reused', message: /Idempotency-Key/ } }, path);
  }
  t.equal((await start(service, 'order-17', { body: { tenant_id: 'b' } })).status, 201, 'another tenant');
  t.equal((await start(another, 'order-17', { body: { tenant_id: 'a' } })).status, 201, 'another API key');
  t.equal(engine.running.size, 3);
});

t.test('keys that are not valid are refused by name', async t => {
  const service = await serveInProcess(t);
  for (const wrong of ['', ' ', 'a b', 'a, b', '"open', 'x'.repeat(256), 'a\\b', 'ü'])
    t.match(
      await start(service, wrong),
      { status: 400, body: { code: 'bad_request', message: /Idempotency-Key/ } },
      wrong,
    );
  t.equal((await start(service, '!'.repeat(255))).status, 201);
});

t.test('what was refused or has failed is not kept', async t => {
  const service = await serveInProcess(t);
  const { engine } = service;
  const id = key();
  t.match(await start(service, id, { body: { fps: 99 } }), { status: 400 });
  engine.refusal = () => new EngineError('refused', 'no such image');
  t.match(await start(service, id), { status: 502, body: { code: 'start_failed' } });
  engine.refusal = undefined;
  t.match(await start(service, id), { status: 201 });
  t.equal(engine.running.size, 1);
});

t.test('simultaneous starts with one key wait for the first; if that fails, the next one starts', async t => {
  const service = await serveInProcess(t);
  const { engine } = service;
  let asked = 0;
  let go: () => void = () => undefined;
  const going = new Promise<void>(resolve => (go = resolve));
  engine.hold = async () => {
    asked++;
    await going;
    if (asked === 1) throw new EngineError('refused', 'no such image');
  };
  const id = key();
  const starts = Array.from({ length: 10 }, () => start(service, id));
  await until('one is under way', () => asked === 1);
  t.match(await start(service, id, { body: { dark: true } }), { status: 422 }, 'another request does not wait');
  go();
  const answers = await Promise.all(starts);
  t.equal(answers.filter(({ status }) => status === 502).length, 1);
  const made = answers.filter(({ status }) => status === 201).map(({ body }) => body.session_id);
  t.same([made.length, new Set(made).size, engine.running.size, asked], [9, 1, 1, 2]);
});

t.test('a start that takes too long leaves those that repeat it with a refusal', async t => {
  const service = await serveInProcess(t, { BERTH_START_TIMEOUT: '1' });
  let asked = 0;
  let go: () => void = () => undefined;
  service.engine.hold = async () => {
    asked++;
    // Not even its own deadline ends it.
    await new Promise<void>(resolve => (go = resolve));
  };
  const id = key();
  const first = start(service, id);
  await until('it is under way', () => asked === 1);
  t.match(await start(service, id), { status: 409, body: { code: 'idempotency_key_in_use' } });
  go();
  t.match(await first, { status: 504 });
});

/** Two services with one store, as replicas have it. */
async function replicas(t: Test) {
  const folder = await mkdtemp(join(tmpdir(), 'berth-test-'));
  const apiKey = randomBytes(24).toString('base64url');
  const env = {
    BERTH_DATABASE_URL: `sqlite:${join(folder, 'berth.sqlite')}`,
    BERTH_SECRET: randomBytes(32).toString('base64url'),
    BERTH_PUBLIC_URL: 'https://berth.example',
    BERTH_API_KEYS: apiKey,
  };
  const services = [await serveInProcess(t, env), await serveInProcess(t, env)];
  t.teardown(() => rm(folder, { recursive: true, force: true }));
  return services.map(service => ({ ...service, apiKey }));
}

t.test('of two replicas that get a key at once, one starts the session, and both answer it', async t => {
  const services = await replicas(t);
  for (let round = 0; round < 5; round++) {
    const id = key();
    const body = round % 2 === 0 ? {} : { tag: `round ${round}` };
    const answers = await Promise.all([...services, ...services].map(service => start(service, id, { body })));
    for (const answer of answers) t.same(answer, answers[0]);
    t.equal(answers[0]?.status, 201);
    const running = services.reduce((sum, { engine }) => sum + engine.running.size, 0);
    t.equal(running, round + 1);
  }
});

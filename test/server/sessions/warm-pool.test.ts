import { pino } from 'pino';
import t from 'tap';
import type { ContainerRequest, Endpoint, Engine } from '../../../src/server/engines/engine.js';
import type { FleetMember } from '../../../src/server/engines/fleet.js';
import { WarmPool, type WarmContainer } from '../../../src/server/sessions/start/warm-pool.js';

const ENDPOINT: Endpoint = { host: '127.0.0.1', port: 7000, linkVersion: 2 };

/** An engine that only notes what it is asked for. */
class NotingEngine implements Engine {
  readonly started: ContainerRequest[] = [];
  readonly stopped: string[] = [];
  answer: (signal: AbortSignal) => Promise<Endpoint> = async () => ENDPOINT;

  start(request: ContainerRequest, signal: AbortSignal): Promise<Endpoint> {
    this.started.push(request);
    return this.answer(signal);
  }
  async stop(sessionId: string): Promise<void> {
    this.stopped.push(sessionId);
  }
  taken = async () => {};
  list = async () => [];
  find = async () => null;
  watch = () => ({ stop: () => {} });
  images = async () => [];
  ping = async () => {};
  territory = async () => ({ networks: [], hosts: [] });
  teardown = async () => [];
}

/** A pool on one engine; `room` is the number of free places. */
function pool(size: number, room = 100) {
  const engine = new NotingEngine();
  const member: FleetMember = { engine, regions: ['NA'], name: 'engine' };
  const places = { free: room, counted: () => {} };
  const warmPool = new WarmPool({
    size,
    replica: 'replica',
    startTimeoutMs: 5000,
    room: async () => {
      const { free } = places;
      places.counted();
      return free;
    },
    secret: sessionId => `secret of ${sessionId}`,
    log: pino({ level: 'silent' }),
  });
  return { engine, member, warmPool, places };
}

t.test('each container has an ID and a link secret of its own', async t => {
  const { engine, member, warmPool } = pool(3);
  await warmPool.fill(member);
  t.equal(new Set(engine.started.map(({ sessionId }) => sessionId)).size, 3);
  for (const request of engine.started) {
    t.match(request, { kind: 'chromium', linkSecret: `secret of ${request.sessionId}`, warmedBy: 'replica' });
    t.ok(warmPool.has(request.sessionId));
  }
  await warmPool.stop();
  t.same(engine.stopped.sort(), engine.started.map(({ sessionId }) => sessionId).sort());
});

t.test('each is taken once, the oldest first, and only for its kind', async t => {
  const { engine, member, warmPool } = pool(2);
  await warmPool.fill(member);
  t.equal(warmPool.take(engine, 'nes'), null);
  t.equal(warmPool.take(new NotingEngine(), 'chromium'), null);
  const first = warmPool.take(engine, 'chromium');
  t.equal(first?.sessionId, engine.started[0]?.sessionId);
  t.same(await first?.endpoint, ENDPOINT);
  t.notOk(warmPool.has(first?.sessionId ?? ''));
  t.equal(warmPool.take(engine, 'chromium')?.sessionId, engine.started[1]?.sessionId);
  t.equal(warmPool.take(engine, 'chromium'), null);
  if (first !== null) warmPool.giveBack(first);
  t.equal(warmPool.take(engine, 'chromium'), first);
  await warmPool.stop();
  t.same(engine.stopped, [], 'what was taken is not the pool’s any more');
});

t.test('free places limit them; surplus ones are removed', async t => {
  const { engine, member, warmPool, places } = pool(5, 2);
  await warmPool.fill(member);
  t.equal(engine.started.length, 2);
  places.free = 1;
  await warmPool.fill(member);
  t.same(engine.stopped, [engine.started[1]?.sessionId]);
  await warmPool.stop();
});

t.test('a failed start leaves no container, and is retried with the next fill', async t => {
  const { engine, member, warmPool } = pool(1);
  engine.answer = () => Promise.reject(new Error('no'));
  await warmPool.fill(member);
  t.equal(warmPool.take(engine, 'chromium'), null);
  engine.answer = async () => ENDPOINT;
  await warmPool.fill(member);
  t.ok(warmPool.take(engine, 'chromium'));
  await warmPool.stop();
});

t.test('one that is still starting can be taken; giving up on it ends its start', async t => {
  const { engine, member, warmPool } = pool(1);
  let aborted = false;
  engine.answer = signal =>
    new Promise((_resolve, reject) =>
      signal.addEventListener('abort', () => {
        aborted = true;
        reject(signal.reason as Error);
      }),
    );
  const filled = warmPool.fill(member);
  await new Promise(setImmediate);
  const warm = warmPool.take(engine, 'chromium');
  warm?.abandon(new Error('enough'));
  await t.rejects(async () => warm?.endpoint, { message: 'enough' });
  t.ok(aborted);
  await filled;
  await warmPool.stop();
});

t.test('an engine that was lost has no warm containers', async t => {
  const { engine, member, warmPool } = pool(2);
  await warmPool.fill(member);
  const taken = warmPool.take(engine, 'chromium');
  warmPool.lost(member);
  t.equal(warmPool.take(engine, 'chromium'), null);
  if (taken !== null) warmPool.giveBack(taken);
  t.equal(warmPool.take(engine, 'chromium'), null, 'nor one that comes back');
  await warmPool.fill(member);
  t.ok(warmPool.take(engine, 'chromium'));
  await warmPool.stop();
});

t.test('one that has ended is not handed out', async t => {
  const { engine, member, warmPool } = pool(1);
  await warmPool.fill(member);
  const id = engine.started[0]?.sessionId ?? '';
  t.equal(warmPool.gone('another'), false);
  t.equal(warmPool.gone(id), true);
  t.equal(warmPool.take(engine, 'chromium'), null);
  await new Promise(setImmediate);
  t.same(engine.stopped, [id], 'it is removed');
  await warmPool.stop();
});

t.test('those taken while places are counted keep theirs until their sessions count', async t => {
  const { engine, member, warmPool, places } = pool(3, 2);
  await warmPool.fill(member);
  t.equal(engine.started.length, 2);
  const taken: (WarmContainer | null)[] = [];
  places.counted = () => {
    while (taken.length < 2) taken.push(warmPool.take(engine, 'chromium'));
  };
  await warmPool.fill(member);
  t.equal(engine.started.length, 2, 'there are no more places');
  await warmPool.fill(member);
  t.equal(engine.started.length, 2, 'nor the next time');
  for (const warm of taken) if (warm !== null) warmPool.used(warm);
  places.free = 1;
  await warmPool.fill(member);
  t.equal(engine.started.length, 3, 'a session has ended');
  await warmPool.stop();
});

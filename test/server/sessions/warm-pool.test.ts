import { pino } from 'pino';
import t from 'tap';
import type { ContainerRequest, Endpoint, Engine } from '../../../src/server/engines/engine.js';
import type { FleetMember } from '../../../src/server/engines/fleet.js';
import { Spares, type Spare } from '../../../src/server/sessions/start/warm-pool.js';

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
  list = async () => [];
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
  const spares = new Spares({
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
  return { engine, member, spares, places };
}

t.test('each container has an ID and a link secret of its own', async t => {
  const { engine, member, spares } = pool(3);
  await spares.fill(member);
  t.equal(new Set(engine.started.map(({ sessionId }) => sessionId)).size, 3);
  for (const request of engine.started) {
    t.match(request, { kind: 'chromium', linkSecret: `secret of ${request.sessionId}`, madeAheadBy: 'replica' });
    t.ok(spares.has(request.sessionId));
  }
  await spares.stop();
  t.same(engine.stopped.sort(), engine.started.map(({ sessionId }) => sessionId).sort());
});

t.test('each is taken once, the oldest first, and only for its kind', async t => {
  const { engine, member, spares } = pool(2);
  await spares.fill(member);
  t.equal(spares.take(engine, 'nes'), null);
  t.equal(spares.take(new NotingEngine(), 'chromium'), null);
  const first = spares.take(engine, 'chromium');
  t.equal(first?.sessionId, engine.started[0]?.sessionId);
  t.same(await first?.endpoint, ENDPOINT);
  t.notOk(spares.has(first?.sessionId ?? ''));
  t.equal(spares.take(engine, 'chromium')?.sessionId, engine.started[1]?.sessionId);
  t.equal(spares.take(engine, 'chromium'), null);
  if (first !== null) spares.giveBack(first);
  t.equal(spares.take(engine, 'chromium'), first);
  await spares.stop();
  t.same(engine.stopped, [], 'what was taken is not the pool’s any more');
});

t.test('free places limit them; those that are too many go', async t => {
  const { engine, member, spares, places } = pool(5, 2);
  await spares.fill(member);
  t.equal(engine.started.length, 2);
  places.free = 1;
  await spares.fill(member);
  t.same(engine.stopped, [engine.started[1]?.sessionId]);
  await spares.stop();
});

t.test('a start that fails leaves no container, and is tried with the next fill', async t => {
  const { engine, member, spares } = pool(1);
  engine.answer = () => Promise.reject(new Error('no'));
  await spares.fill(member);
  t.equal(spares.take(engine, 'chromium'), null);
  engine.answer = async () => ENDPOINT;
  await spares.fill(member);
  t.ok(spares.take(engine, 'chromium'));
  await spares.stop();
});

t.test('one that still starts can be taken; who gives up on it ends the start', async t => {
  const { engine, member, spares } = pool(1);
  let aborted = false;
  engine.answer = signal =>
    new Promise((_resolve, reject) =>
      signal.addEventListener('abort', () => {
        aborted = true;
        reject(signal.reason as Error);
      }),
    );
  const filled = spares.fill(member);
  await new Promise(setImmediate);
  const spare = spares.take(engine, 'chromium');
  spare?.abandon(new Error('enough'));
  await t.rejects(async () => spare?.endpoint, { message: 'enough' });
  t.ok(aborted);
  await filled;
  await spares.stop();
});

t.test('an engine that was lost has none', async t => {
  const { engine, member, spares } = pool(2);
  await spares.fill(member);
  const taken = spares.take(engine, 'chromium');
  spares.lost(member);
  t.equal(spares.take(engine, 'chromium'), null);
  if (taken !== null) spares.giveBack(taken);
  t.equal(spares.take(engine, 'chromium'), null, 'nor one that comes back');
  await spares.fill(member);
  t.ok(spares.take(engine, 'chromium'));
  await spares.stop();
});

t.test('one that ended is not given out', async t => {
  const { engine, member, spares } = pool(1);
  await spares.fill(member);
  const id = engine.started[0]?.sessionId ?? '';
  t.equal(spares.gone('another'), false);
  t.equal(spares.gone(id), true);
  t.equal(spares.take(engine, 'chromium'), null);
  await new Promise(setImmediate);
  t.same(engine.stopped, [id], 'it is removed');
  await spares.stop();
});

t.test('those that are taken while places are counted keep theirs, until they are sessions that count', async t => {
  const { engine, member, spares, places } = pool(3, 2);
  await spares.fill(member);
  t.equal(engine.started.length, 2);
  const taken: (Spare | null)[] = [];
  places.counted = () => {
    while (taken.length < 2) taken.push(spares.take(engine, 'chromium'));
  };
  await spares.fill(member);
  t.equal(engine.started.length, 2, 'there are no more places');
  await spares.fill(member);
  t.equal(engine.started.length, 2, 'nor the next time');
  for (const spare of taken) if (spare !== null) spares.used(spare);
  places.free = 1;
  await spares.fill(member);
  t.equal(engine.started.length, 3, 'a session has ended');
  await spares.stop();
});

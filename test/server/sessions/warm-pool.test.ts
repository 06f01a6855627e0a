import { pino } from 'pino';
import t from 'tap';
import type { ChromiumOptions, Launch } from '../../../src/protocol/generated/schemas.js';
import { COMMON_PREPARATION } from '../../../src/protocol/preparation.js';
import type { ContainerRequest, Endpoint, Engine } from '../../../src/server/engines/engine.js';
import type { FleetMember } from '../../../src/server/engines/fleet.js';
import { clock } from '../../../src/server/lib/clock.js';
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
  assigned = async () => {};
  list = async () => [];
  find = async () => null;
  watch = () => ({ stop: () => {} });
  images = async () => [];
  ping = async () => {};
  addresses = async () => ({ networks: [], hosts: [] });
  teardown = async () => [];
}

const CHROMIUM: Launch = COMMON_PREPARATION;
const { display } = COMMON_PREPARATION;
const NES: Launch = { type: 'launch', kind: 'nes', display, console: { max_bytes: 1 } };

/** A launch of Chromium with these options. */
const launchOf = (options: Partial<ChromiumOptions>): Launch => ({
  ...COMMON_PREPARATION,
  chromium: { ...COMMON_PREPARATION.chromium, ...options },
});

/** A pool on one engine; `room` is the number of free places. */
function pool(size: number, room = 100, prepares = true, timezone: string | null = null) {
  const engine = new NotingEngine();
  const member: FleetMember = { engine, regions: ['NA'], name: 'engine' };
  const places = { free: room, counted: () => {} };
  const warmPool = new WarmPool({
    size,
    prepares,
    timezone,
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
  t.equal(warmPool.take(engine, NES), null);
  t.equal(warmPool.take(new NotingEngine(), CHROMIUM), null);
  const first = warmPool.take(engine, CHROMIUM);
  t.equal(first?.sessionId, engine.started[0]?.sessionId);
  t.same(await first?.endpoint, ENDPOINT);
  t.notOk(warmPool.has(first?.sessionId ?? ''));
  t.equal(warmPool.take(engine, CHROMIUM)?.sessionId, engine.started[1]?.sessionId);
  t.equal(warmPool.take(engine, CHROMIUM), null);
  if (first !== null) warmPool.giveBack(first);
  t.equal(warmPool.take(engine, CHROMIUM), first);
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
  t.equal(warmPool.take(engine, CHROMIUM), null);
  engine.answer = async () => ENDPOINT;
  await warmPool.fill(member);
  t.ok(warmPool.take(engine, CHROMIUM));
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
  const warm = warmPool.take(engine, CHROMIUM);
  warm?.abandon(new Error('enough'));
  await t.rejects(async () => warm?.endpoint, { message: 'enough' });
  t.ok(aborted);
  await filled;
  await warmPool.stop();
});

t.test('an engine that was lost has no warm containers', async t => {
  const { engine, member, warmPool } = pool(2);
  await warmPool.fill(member);
  const taken = warmPool.take(engine, CHROMIUM);
  warmPool.lost(member);
  t.equal(warmPool.take(engine, CHROMIUM), null);
  if (taken !== null) warmPool.giveBack(taken);
  t.equal(warmPool.take(engine, CHROMIUM), null, 'nor one that comes back');
  await warmPool.fill(member);
  t.ok(warmPool.take(engine, CHROMIUM));
  await warmPool.stop();
});

t.test('one that has ended is not handed out', async t => {
  const { engine, member, warmPool } = pool(1);
  await warmPool.fill(member);
  const id = engine.started[0]?.sessionId ?? '';
  t.equal(warmPool.gone('another'), false);
  t.equal(warmPool.gone(id), true);
  t.equal(warmPool.take(engine, CHROMIUM), null);
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
    while (taken.length < 2) taken.push(warmPool.take(engine, CHROMIUM));
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

t.test('containers prepare the browser of the latest session', async t => {
  const { engine, member, warmPool } = pool(1);
  const prepared = () => engine.started.at(-1)?.preparation?.chromium;
  await warmPool.fill(member);
  t.same(prepared(), COMMON_PREPARATION.chromium, 'at first that of sessions that ask for nothing');
  warmPool.take(engine, launchOf({ start_url: 'https://a.example/', dark: true }));
  await warmPool.fill(member);
  t.same(prepared(), { ...COMMON_PREPARATION.chromium, dark: true }, 'its page is not told');
  warmPool.take(engine, launchOf({ extension: true }));
  await warmPool.fill(member);
  t.equal(engine.started.length, 3);
  t.notOk(engine.started.at(-1)?.preparation, 'none if none can be prepared');
  await warmPool.stop();
});

t.test("the service's time zone is that of the first browsers, later the latest session's", async t => {
  const { engine, member, warmPool } = pool(1, 100, true, 'Asia/Tokyo');
  const zone = () => engine.started.at(-1)?.preparation?.chromium.timezone;
  await warmPool.fill(member);
  t.equal(zone(), 'Asia/Tokyo');
  warmPool.take(engine, launchOf({ timezone: 'Europe/Berlin' }));
  await warmPool.fill(member);
  t.equal(zone(), 'Europe/Berlin');
  await warmPool.stop();
});

t.test('a container whose browser suits is taken first, one without any second', async t => {
  const { engine, member, warmPool } = pool(2);
  await warmPool.fill(member);
  const [first, second] = engine.started.map(({ sessionId }) => sessionId);
  t.equal(warmPool.take(engine, launchOf({ dark: true }))?.sessionId, first, 'another has nothing better');
  await warmPool.fill(member);
  const third = engine.started.at(-1)?.sessionId;
  t.equal(warmPool.take(engine, launchOf({ dark: true }))?.sessionId, third);
  t.equal(warmPool.take(engine, CHROMIUM)?.sessionId, second);
  warmPool.take(engine, launchOf({ extension: true }));
  await warmPool.fill(member);
  t.equal(engine.started.length, 5);
  const [, bare] = engine.started.slice(-2);
  t.notOk(bare?.preparation);
  t.ok(warmPool.take(engine, CHROMIUM), 'a container without a browser will do');
  await warmPool.stop();
});

t.test('two starts alike replace what waits and does not suit', async t => {
  const { engine, member, warmPool } = pool(3);
  await warmPool.fill(member);
  const waiting = engine.started.map(({ sessionId }) => sessionId);
  warmPool.take(engine, launchOf({ kiosk: true }));
  await warmPool.fill(member);
  t.same(engine.stopped, [], 'one may be an exception');
  warmPool.take(engine, launchOf({ kiosk: true }));
  await warmPool.fill(member);
  t.same(engine.stopped.sort(), waiting.slice(1).sort());
  t.equal(warmPool.count, 3);
  for (const { preparation } of engine.started.slice(-3)) t.equal(preparation?.chromium.kiosk, true);
  await warmPool.stop();
});

t.test('none prepares a browser if that is turned off', async t => {
  const { engine, member, warmPool } = pool(1, 100, false);
  await warmPool.fill(member);
  for (let start = 0; start < 3; start++) {
    warmPool.take(engine, CHROMIUM);
    await warmPool.fill(member);
  }
  t.same(engine.stopped, []);
  t.ok(engine.started.every(({ preparation }) => preparation === undefined));
  await warmPool.stop();
});

t.test('a console waits for an hour after one was started', async t => {
  const { engine, member, warmPool } = pool(1);
  const faked = t.capture(clock, 'now', () => now);
  let now = 1e12;
  await warmPool.fill(member);
  t.equal(warmPool.take(engine, NES), null);
  await warmPool.fill(member);
  t.match(engine.started.at(-1), { kind: 'nes' });
  t.notOk(engine.started.at(-1)?.preparation);
  const { sessionId } = engine.started.at(-1) as ContainerRequest;
  now += 3_599_000;
  await warmPool.fill(member);
  t.ok(warmPool.has(sessionId));
  now += 2000;
  await warmPool.fill(member);
  t.notOk(warmPool.has(sessionId));
  t.same(
    engine.started.slice(2).map(({ kind }) => kind),
    ['chromium'],
    'only the browser is replaced',
  );
  faked.restore();
  await warmPool.stop();
});

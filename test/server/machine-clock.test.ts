import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pino } from 'pino';
import t, { type Test } from 'tap';
import { clock } from '../../src/server/lib/clock.js';
import { MachineClock } from '../../src/server/machine-clock.js';
import { Store } from '../../src/server/store/store.js';
import { keyring } from '../fixtures/services/keyring.js';
import { makeSession } from '../fixtures/services/session-rows.js';

const HOUR = 3_600_000;

/** A service's clock and what it is set by; `ahead`: by how much its time is ahead of the machine's, ms. */
function machine(t: Test, newest: () => number | null) {
  const offset = clock.now() - performance.now();
  t.teardown(() => clock.set(offset + performance.now()));
  const folder = t.testdir();
  const lines: string[] = [];
  const log = pino({ base: null }, { write: (line: string) => void lines.push(line) });
  const machineClock = new MachineClock(folder, { newestTime: async () => newest() }, log);
  const ahead = () => clock.now() - Date.now();
  return { machineClock, ahead, file: join(folder, 'clock.json'), lines };
}

const near = (t: Test, ms: number, wanted: number) => t.ok(Math.abs(ms - wanted) < 1000, `${ms} ms, not ${wanted}`);

t.test('the time goes on across a restart on the same boot, whatever the machine says', async t => {
  let newest: number | null = null;
  const { machineClock, ahead, file } = machine(t, () => newest);
  clock.set(Date.now() - HOUR);
  await machineClock.resume();
  near(t, ahead(), -HOUR);
  newest = clock.now();
  clock.set(Date.now());
  await machineClock.resume();
  near(t, ahead(), -HOUR);

  const left = JSON.parse(await readFile(file, 'utf8')) as object;
  await writeFile(file, JSON.stringify({ ...left, boot: 'another' }));
  await machineClock.resume();
  near(t, ahead(), 0);
});

t.test('after another boot the time is never before what the store has', async t => {
  const { machineClock, ahead, file } = machine(t, () => Date.now() + HOUR);
  for (const text of ['', '{"boot":', '{"boot":"another","bootedAt":5}', '{"bootedAt":"x"}']) {
    await writeFile(file, text);
    await machineClock.resume();
    near(t, ahead(), HOUR);
  }
});

t.test('a clock that was set is taken over when nothing is under way, and told of once until then', async t => {
  let newest: number | null = 1;
  const { machineClock, ahead, lines } = machine(t, () => newest);
  clock.set(Date.now() - HOUR);
  await machineClock.check();
  await machineClock.check();
  near(t, ahead(), -HOUR);
  t.equal(lines.length, 1);
  t.match(lines[0], /clock was set/);
  newest = null;
  await machineClock.check();
  near(t, ahead(), 0);
  t.match(lines[1], /taken over/);
});

t.test('what is under way: sessions, profiles to be saved and webhooks', async t => {
  const store = await Store.open({ client: 'sqlite', filename: ':memory:' }, keyring);
  t.teardown(() => store.close());
  t.equal(await store.newestTime(), null);
  const session = makeSession({ createdAt: 1000, profile: { load: null, save: 'a', pending: null } });
  await store.sessions.insert(session, { owner: 'me', until: 99_000 }, 1);
  t.equal(await store.newestTime(), 1000);
  await store.sessions.markRunning(session, 2000);
  t.equal(await store.newestTime(), 2000);
  await store.end(session.id, { reason: 'request' }, 3000, () => null);
  t.equal(await store.newestTime(), 3000, 'its profile is to be saved');
  await store.sessions.settleProfile(session, 3000);
  t.equal(await store.newestTime(), null);
  const item = {
    id: 'x',
    sessionId: 'y',
    url: 'http://z/',
    bearer: null,
    secret: null,
    body: '{}',
    attempts: 0,
    event: 'timeout' as const,
  };
  await store.outbox.add({ ...item, createdAt: 4000, nextAt: 9000 });
  t.equal(await store.newestTime(), 4000);
});

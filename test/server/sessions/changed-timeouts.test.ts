import { pino } from 'pino';
import t, { type Test } from 'tap';
import { nextDeadline } from '../../../src/server/model/timeouts.js';
import type { Session } from '../../../src/server/model/session.js';
import { clock } from '../../../src/server/lib/clock.js';
import { ActivityTracker } from '../../../src/server/sessions/timeouts/activity-tracker.js';
import { LiveSession } from '../../../src/server/sessions/live-session.js';
import { Store } from '../../../src/server/store/store.js';
import { keyring } from '../../fixtures/services/keyring.js';
import { makeSession } from '../../fixtures/services/session-rows.js';
import { until } from '../../fixtures/until.js';

const HALF_AN_HOUR = 1_800_000;

/** A session that has run for half an hour, and what keeps its timeouts. */
async function tracked(t: Test, changes: Partial<Session> = {}) {
  const store = await Store.open({ client: 'sqlite', filename: ':memory:' }, keyring);
  const session = makeSession({ createdAt: clock.now() - HALF_AN_HOUR, ...changes });
  const begun = session.createdAt + 1000;
  await store.sessions.insert(session, { owner: 'me', until: clock.now() + 60_000 }, 1);
  await store.sessions.markRunning(session, begun);
  const running: Session = { ...session, state: { type: 'running' }, readyAt: begun, seenAt: begun };
  const live = new LiveSession(running);
  const writes = {
    saveActivity: (...args: Parameters<typeof store.sessions.saveActivity>) => store.sessions.saveActivity(...args),
  };
  const tracker = new ActivityTracker(writes, pino({ level: 'silent' }));
  t.teardown(async () => {
    await tracker.stop([live]);
    await store.close();
  });
  const row = async () => (await store.sessions.find(session.id)) as Session;
  return { writes, tracker, live, row };
}

for (const type of ['absolute', 'inactive', 'offline'] as const) {
  t.test(`a service that is killed right after a change knows when it was: ${type}`, async t => {
    const { tracker, live, row } = await tracked(t);
    const changed = clock.now();
    await tracker.changeTimeouts(live, { offline: null, [type]: 60, reset: false });
    const deadline = nextDeadline(await row());
    t.equal(deadline?.type, type);
    t.ok((deadline?.at ?? 0) >= changed && (deadline?.at ?? 0) <= clock.now());
  });
}

t.test('a timeout that is left as it is keeps its deadline, also one that has passed', async t => {
  const timeouts = { absolute: 60_000, inactive: null, offline: null, warning: null };
  const { tracker, live, row } = await tracked(t, { timeouts });
  await tracker.changeTimeouts(live, { absolute: 60, inactive: 7200, reset: false });
  const { createdAt, inputAt, timeouts: kept } = await row();
  t.equal(nextDeadline(await row())?.at, createdAt + 60_000);
  t.equal(inputAt + (kept.inactive ?? 0), createdAt + 7_200_000, 'one to come counts from where it did');
});

t.test('a change that cannot be stored changes nothing, even if it was stored all the same', async t => {
  const { writes, tracker, live, row } = await tracked(t, { offlineAt: 5, announced: { absolute: 7 } });
  const before = live.session;
  const { saveActivity } = writes;
  writes.saveActivity = async (...args) => {
    await saveActivity(...args);
    throw new Error('The connection was lost.');
  };
  await t.rejects(tracker.changeTimeouts(live, { absolute: 1, inactive: 1 }), /connection was lost/);
  t.same(live.session, before);
  t.notSame((await row()).timeouts, before.timeouts);
  writes.saveActivity = saveActivity;
  await until('the row is as it was', async () => (await row()).timeouts.absolute === before.timeouts.absolute);
  t.match(await row(), { timeouts: before.timeouts, countedFrom: before.countedFrom, inputAt: before.inputAt });
});

t.test('what happens while a change is written counts, and nothing else is written meanwhile', async t => {
  const { writes, tracker, live, row } = await tracked(t);
  const { saveActivity } = writes;
  let go = () => {};
  const gone = new Promise<void>(resolve => (go = resolve));
  let begun = 0;
  writes.saveActivity = async (...args) => {
    begun++;
    await gone;
    return saveActivity(...args);
  };
  const changes = [{ absolute: 7200 }, { inactive: 7200, reset: false }].map(change =>
    tracker.changeTimeouts(live, change),
  );
  await until('the first is being written', () => begun === 1);
  t.ok(live.isChanging);
  tracker.presence(live, 1);
  t.equal(live.session.timeouts.absolute, null, 'not in force yet');
  t.equal(begun, 1, 'the rest waits');
  go();
  await Promise.all(changes);
  await until('all is written', async () => (await row()).offlineAt === null);
  t.match(live.session, { timeouts: { absolute: 7_200_000, inactive: 7_200_000 }, offlineAt: null });
  t.match(await row(), {
    timeouts: { absolute: 7_200_000, inactive: 7_200_000 },
    countedFrom: live.session.countedFrom,
  });
  t.notOk(live.isChanging);
});

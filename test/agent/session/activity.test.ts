import t from 'tap';
import { ActivityMeter } from '../../../src/agent/session/activity.js';
import type { Activity } from '../../../src/protocol/generated/schemas.js';
import { Handover } from '../../../src/agent/handover/handover.js';
import { until } from '../../fixtures/until.js';

/** A meter on a clock that the test moves. */
function meter(t: { teardown(handler: () => void): void }) {
  const clock = { now: 1000 };
  const told: Activity[] = [];
  const activity = new ActivityMeter(
    message => told.push(message),
    () => clock.now,
  );
  t.teardown(() => activity.stop());
  return { clock, told, activity };
}

t.test("counts from the last input and from the last viewer's leaving", async t => {
  const { clock, activity } = meter(t);
  activity.launched();
  clock.now += 500;
  t.same(activity.current(), { type: 'activity', idle_ms: 500, offline_ms: 500 });
  activity.input();
  activity.viewers(1);
  clock.now += 100;
  t.same(activity.current(), { type: 'activity', idle_ms: 100, offline_ms: null });
  activity.viewers(0);
  clock.now += 100;
  t.same(activity.current(), { type: 'activity', idle_ms: 200, offline_ms: 100 });
});

t.test('what happened before the launch does not count', async t => {
  const { clock, activity } = meter(t);
  clock.now += 60_000;
  activity.launched();
  t.same(activity.current(), { type: 'activity', idle_ms: 0, offline_ms: 0 });
});

t.test('going online or offline is reported at once, a further viewer not at all', async t => {
  const { told, activity } = meter(t);
  activity.viewers(1);
  activity.viewers(2);
  activity.viewers(1);
  t.same(
    told.map(({ offline_ms }) => offline_ms),
    [null],
  );
  activity.viewers(0);
  t.same(
    told.map(({ offline_ms }) => offline_ms),
    [null, 0],
  );
});

t.test('input is reported at most twice a second, and never lost', async t => {
  const { clock, told, activity } = meter(t);
  activity.input();
  t.equal(told.length, 1, 'the first at once');
  clock.now += 490;
  activity.input();
  activity.input();
  t.equal(told.length, 1);
  await until('the second comes', () => told.length === 2);
  t.equal(told.length, 2);
});

t.test('a new agent continues from the last input; its own start does not count', async t => {
  const handover = new Handover({ info: () => undefined, warn: () => undefined }, { folder: t.testdir() });
  const clock = { now: 1000 };
  const first = new ActivityMeter(
    () => undefined,
    () => clock.now,
    handover,
  );
  first.launched();
  first.viewers(1);
  first.stop();
  clock.now += 5000;
  const second = new ActivityMeter(
    () => undefined,
    () => clock.now,
    handover,
  );
  clock.now += 500;
  t.same(second.current(), { type: 'activity', idle_ms: 5500, offline_ms: 500 }, 'who watched is gone since its start');
  second.viewers(1);
  second.viewers(0);
  second.stop();
  clock.now += 1000;
  t.same(
    new ActivityMeter(
      () => undefined,
      () => clock.now,
      handover,
    ).current(),
    { type: 'activity', idle_ms: 6500, offline_ms: 1000 },
  );
});

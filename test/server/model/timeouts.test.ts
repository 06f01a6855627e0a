import t from 'tap';
import type { Session } from '../../../src/server/model/session.js';
import {
  dueAt,
  nextStep,
  nextDeadline,
  stillAnnounced,
  timeoutsInForce,
  withTimeouts,
  withWarning,
} from '../../../src/server/model/timeouts.js';

const state = (over: Partial<Parameters<typeof nextStep>[0]> = {}) => ({
  countedFrom: 0,
  inputAt: 0,
  offlineAt: 0,
  timeouts: { absolute: null, inactive: null, offline: null, warning: null },
  warned: null,
  announced: {},
  claimBy: null,
  ...over,
});
const timeouts = (over: object) => ({
  absolute: null,
  inactive: null,
  offline: null,
  warning: null,
  ...over,
});

t.test('without timeouts nothing is ever due', async t => {
  t.equal(nextDeadline(state()), null);
  t.same(nextStep(state(), 1e12), { type: 'wait', until: null });
});

t.test('the timeout that expires first counts', async t => {
  const all = timeouts({ absolute: 10_000, inactive: 5000, offline: 3000 });
  t.same(nextDeadline(state({ timeouts: all })), { type: 'offline', at: 3000 });
  t.same(nextDeadline(state({ timeouts: all, offlineAt: null })), { type: 'inactive', at: 5000 });
  t.same(nextDeadline(state({ timeouts: all, offlineAt: null, inputAt: 7000 })), {
    type: 'absolute',
    at: 10_000,
  });
});

t.test('a session ends at its deadline, not before', async t => {
  const session = state({ timeouts: timeouts({ absolute: 1000 }) });
  t.same(nextStep(session, 999), { type: 'wait', until: 1000 });
  t.same(nextStep(session, 1000), { type: 'end', deadline: { type: 'absolute', at: 1000 } });
  t.same(nextStep(session, 9000), { type: 'end', deadline: { type: 'absolute', at: 1000 } }, 'nor after it');
});

t.test('a warning is given once, its lead time before the end', async t => {
  const session = state({ timeouts: timeouts({ inactive: 10_000, warning: 4000 }) });
  t.same(nextStep(session, 5999), { type: 'wait', until: 6000 });
  const deadline = { type: 'inactive' as const, at: 10_000 };
  t.same(nextStep(session, 6000), { type: 'warn', deadline, announced: false });
  const warned = { ...session, warned: { type: 'inactive' as const, deadline: 10_000 } };
  t.same(nextStep(warned, 6001), { type: 'wait', until: 10_000 });
  t.same(nextStep(warned, 10_000), { type: 'end', deadline });
});

t.test('a warning longer than the timeout is due at once', async t => {
  const session = state({ timeouts: timeouts({ absolute: 2000, warning: 60_000 }) });
  t.match(nextStep(session, 0), { type: 'warn', deadline: { at: 2000 } });
});

t.test('input withdraws a warning', async t => {
  const warned = state({
    timeouts: timeouts({ inactive: 10_000, warning: 4000 }),
    inputAt: 7000,
    warned: { type: 'inactive', deadline: 10_000 },
  });
  t.same(nextStep(warned, 7000), { type: 'withdraw-warning' });
  t.equal(dueAt(warned, 7000), 7000);
});

t.test(
  'a warning longer than its timeout stands all the time: its webhook is told once, viewers of each deadline',
  async t => {
    const session = state({
      timeouts: timeouts({ inactive: 5000, warning: 60_000 }),
      inputAt: 2000,
      warned: { type: 'inactive', deadline: 5000 },
      announced: { inactive: 5000 },
    });
    t.match(nextStep(session, 2000), { type: 'warn', deadline: { at: 7000 }, announced: true });
    t.same(stillAnnounced(session, 2000), { inactive: 5000 });
  },
);

t.test('a warning that was withdrawn and becomes due again is announced again', async t => {
  const over = { timeouts: timeouts({ inactive: 5000, warning: 2000 }), announced: { inactive: 5000 } };
  const warned = { type: 'inactive' as const, deadline: 5000 };
  const input = state({ ...over, warned, inputAt: 4000 });
  t.same(nextStep(input, 4000), { type: 'withdraw-warning' });
  t.same(stillAnnounced(input, 4000), {}, 'it is over as soon as input came');
  t.match(nextStep(input, 7000), { type: 'warn', deadline: { at: 9000 }, announced: false }, 'even if nobody looked');
  const again = withWarning(input as Session, { type: 'inactive', at: 9000 }, 7000);
  t.same(nextStep(again, 7000), { type: 'wait', until: 9000 }, 'and once');
});

t.test(
  'a timeout that becomes the first brings a new warning; the earlier one is new when it is first again',
  async t => {
    const all = { timeouts: timeouts({ inactive: 9000, offline: 3000, warning: 8000 }), inputAt: 0 };
    const first = state({
      ...all,
      offlineAt: 2000,
      warned: { type: 'inactive', deadline: 9000 },
      announced: { inactive: 9000 },
    });
    t.match(nextStep(first, 2000), { type: 'warn', deadline: { type: 'offline', at: 5000 }, announced: false });
    const second = withWarning(first as Session, { type: 'offline', at: 5000 }, 2000);
    t.same(second.announced, { inactive: 9000, offline: 5000 });
    const back = { ...second, offlineAt: null };
    t.match(nextStep(back, 3000), { type: 'warn', deadline: { type: 'inactive', at: 9000 }, announced: true });
    t.same(stillAnnounced(back, 3000), { inactive: 9000 }, 'the other one was taken back');
  },
);

t.test('when a session must be checked again', async t => {
  t.equal(dueAt(state(), 0), null);
  t.equal(dueAt(state({ timeouts: timeouts({ absolute: 1000 }) }), 0), 1000);
  t.equal(dueAt(state({ timeouts: timeouts({ absolute: 1000, warning: 400 }) }), 0), 600);
  t.equal(dueAt(state({ timeouts: timeouts({ absolute: 1000 }) }), 5000), 5000);
});

t.test('a session that nobody knows of is abandoned unless a timeout expires before', async t => {
  const session = state({ timeouts: timeouts({ absolute: 90_000, warning: 10_000 }), claimBy: 60_000 });
  t.same(nextStep(session, 0), { type: 'wait', until: 60_000 });
  t.same(nextStep(session, 60_000), { type: 'abandon' });
  t.same(nextStep({ ...session, claimBy: null }, 60_000), { type: 'wait', until: 80_000 });
  t.same(nextStep(state({ claimBy: 60_000 }), 0), { type: 'wait', until: 60_000 });
  t.match(nextStep({ ...session, timeouts: timeouts({ absolute: 50_000 }) }, 60_000), { type: 'end' });
  t.equal(dueAt(session, 0), 60_000);
});

t.test('a timeout shorter than a millisecond counts as one, and is reported as such', async t => {
  const session = withTimeouts(state() as unknown as Session, { absolute: 1e-9, warning: 0.0004 }, 5000);
  t.same(timeoutsInForce(session.timeouts), { absolute: 0.001, inactive: null, offline: null, warning: 0.001 });
  t.equal(nextDeadline(session)?.at, 5001);
});

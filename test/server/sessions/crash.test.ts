import t from 'tap';
import { diedAt, endingOf } from '../../../src/server/sessions/recovery/crash.js';
import { makeSession } from '../../fixtures/services/session-rows.js';

const NONE = { absolute: null, inactive: null, offline: null, warning: null };
const running = (changes = {}) =>
  makeSession({
    createdAt: 1000,
    state: { type: 'running' },
    readyAt: 1500,
    seenAt: 20_000,
    timeouts: NONE,
    ...changes,
  });
const exit = (at: number | null, code = 137) => ({ type: 'status' as const, code, at });

t.test("the time of death is the engine's", async t => {
  t.equal(diedAt(exit(30_000), 20_000, 90_000), 30_000);
  t.equal(diedAt(exit(30_000), null, 90_000), 30_000);
});

t.test('a container that could reach private networks says so by its status', async t => {
  t.match(endingOf(running(), exit(30_000, 71), 90_000), { reason: 'crashed', message: /not isolated/ });
});

t.test('an engine whose clock is wrong is not believed', async t => {
  t.equal(diedAt(exit(15_000), 20_000, 90_000), 20_000, 'it was heard of later');
  t.equal(diedAt(exit(95_000), 20_000, 90_000), 90_000, 'that is still to come');
});

t.test('where the engine does not know, the last sign of life counts', async t => {
  t.equal(diedAt(exit(null), 20_000, 90_000), 20_000);
  t.equal(diedAt(undefined, 20_000, 90_000), 20_000);
  t.equal(diedAt(undefined, null, 90_000), 90_000);
});

t.test('a session ends with its container', async t => {
  t.same(endingOf(running(), exit(30_000), 90_000), {
    reason: 'crashed',
    message: "The session's container ended with status 137.",
    at: 30_000,
  });
  t.same(endingOf(running(), undefined, 90_000), {
    reason: 'crashed',
    message: "The session's container is gone.",
    at: 20_000,
  });
});

t.test('unless a timeout expired before', async t => {
  const timeouts = { ...NONE, absolute: 26_000 };
  t.same(endingOf(running({ timeouts }), exit(30_000), 90_000), { reason: 'absolute', at: 27_000 });
  t.match(endingOf(running({ timeouts }), exit(26_999), 90_000), { reason: 'crashed', at: 26_999 });
  t.match(endingOf(running({ timeouts }), undefined, 90_000), { reason: 'crashed', at: 20_000 });
});

t.test('a row written before signs of life were recorded ends at its last input', async t => {
  t.match(endingOf(running({ seenAt: null, inputAt: 7000 }), undefined, 90_000), { reason: 'crashed', at: 7000 });
  t.match(endingOf(running({ seenAt: null, inputAt: 1000 }), undefined, 90_000), { reason: 'crashed', at: 1500 });
});

import t from 'tap';
import { judge, recent } from '../../../src/agent/process/backoff.js';

const policy = { first: 100, longest: 1000, window: 60_000, tolerated: 5 };

t.test('each death in the window adds delay, up to a limit', async t => {
  const delays = [1, 2, 3, 4, 5].map(count => judge(Array<number>(count).fill(0), policy));
  t.same(
    delays.map(verdict => verdict.restart && verdict.delay),
    [100, 200, 400, 800, 1000],
  );
});

t.test('too many deaths end it', async t => {
  t.same(judge([1, 2, 3, 4, 5, 6], policy), { restart: false });
  t.match(judge(Array<number>(99).fill(0), { ...policy, tolerated: Infinity }), { restart: true, delay: 1000 });
});

t.test('old deaths are forgotten', async t => {
  t.same(recent([0, 50_000, 70_000], 70_001, policy), [50_000, 70_000]);
});

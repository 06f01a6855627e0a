import t from 'tap';
import { openAfter, reopenAfter } from '../../../src/server/agent-link/retry.js';

t.test('a container that starts is tried at short intervals, one that takes long at longer ones', async t => {
  t.same([0, 500, 999].map(openAfter), [15, 15, 15]);
  t.same([1000, 4000, 10_000, 60_000].map(openAfter), [100, 400, 1000, 1000]);
  let attempts = 0;
  for (let elapsed = 0; elapsed < 20_000; elapsed += openAfter(elapsed)) attempts++;
  t.ok(attempts < 110, `${attempts} attempts in 20 s`);
});

t.test('a lost link is retried at growing intervals, up to about a second', async t => {
  for (const [attempt, middle] of [
    [0, 15],
    [3, 120],
    [10, 1000],
    [1000, 1000],
  ] as const) {
    const delay = reopenAfter(attempt);
    t.ok(delay >= 0.75 * middle && delay <= 1.25 * middle, `attempt ${attempt}: ${delay} ms`);
  }
});

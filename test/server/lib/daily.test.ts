import t from 'tap';
import { clock } from '../../../src/server/lib/clock.js';
import { Daily } from '../../../src/server/lib/daily.js';
import { until } from '../../fixtures/until.js';

t.test('daily work is done at its local time of day, once a day, until stopped', async t => {
  const offset = clock.now() - performance.now();
  t.teardown(() => clock.set(offset + performance.now()));
  clock.set(new Date(2026, 2, 3, 3, 16, 58, 900).getTime());
  const done: Date[] = [];
  const [daily, stopped] = [1, 2].map(
    () =>
      new Daily(3, 17, async () => {
        done.push(new Date(clock.now()));
      }),
  ) as [Daily, Daily];
  t.teardown(() => daily.stop());
  stopped.start();
  stopped.stop();
  daily.start();
  await until('it is done', () => done.length > 0);
  t.same(
    done.map(date => [date.getDate(), date.getHours(), date.getMinutes()]),
    [[3, 3, 17]],
  );
});

import t from 'tap';
import { clock } from '../../../src/server/lib/clock.js';

t.test('the clock says UTC milliseconds, as the machine does', t => {
  t.ok(Number.isInteger(clock.now()), 'integers, as the store needs');
  t.ok(Math.abs(clock.now() - Date.now()) < 1000);
  t.end();
});

t.test('it goes on by the monotonic clock when the machine sets its own', t => {
  const real = Date.now;
  t.teardown(() => void (Date.now = real));
  const before = clock.now();
  Date.now = () => real() + 3_600_000;
  const ahead = clock.now();
  Date.now = () => real() - 3_600_000;
  const behind = clock.now();
  t.ok(ahead - before < 60_000 && behind >= ahead, 'neither ahead nor back');
  t.end();
});

t.test('it can be set', t => {
  const before = clock.now();
  t.teardown(() => clock.set(before));
  clock.set(before + 5000);
  t.ok(clock.now() >= before + 5000 && clock.now() < before + 65_000);
  t.end();
});

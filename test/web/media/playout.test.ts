import t from 'tap';
import { DelayLine, PlayoutClock } from '../../../src/web/media/playout.js';

t.test('packets that arrive unevenly are played evenly', async t => {
  const clock = new PlayoutClock(100);
  const ways = [20, 70, 25, 110, 20];
  const played = ways.map((way, i) => clock.playAt(i * 33_000, 1000 + i * 33 + way));
  for (const [i, at] of played.entries()) t.ok(Math.abs(at - (1120 + i * 33)) < 1, `${at.toFixed(1)} ms`);
});

t.test('a packet that arrives too late is played at once', async t => {
  const clock = new PlayoutClock(50);
  clock.playAt(0, 1000);
  t.equal(clock.playAt(33_000, 1500), 1500);
});

t.test('a lasting increase of the network’s delay is adopted in the end', async t => {
  const clock = new PlayoutClock(100);
  clock.playAt(0, 1000);
  t.ok(clock.playAt(1_000_000, 2080) - 2080 < 25, 'not at once');
  let wait = 0;
  for (let second = 2; second < 120; second++)
    wait = clock.playAt(second * 1e6, 1080 + second * 1000) - (1080 + second * 1000);
  t.ok(wait > 98, `${wait} ms`);
});

t.test('a delay line releases items in order, and none that were cleared', async t => {
  const out: number[] = [];
  const line = new DelayLine<number>(item => out.push(item));
  const now = performance.now();
  line.add(1, now + 30);
  line.add(2, now + 10);
  line.add(3, now + 40);
  await new Promise<void>(resolve => {
    const last = new DelayLine<null>(() => resolve());
    last.add(null, now + 45);
  });
  t.same(out, [1, 2, 3]);
  t.ok(performance.now() - now >= 40);
  line.add(4, now);
  line.clear();
  await new Promise(resolve => setImmediate(resolve));
  t.same(out, [1, 2, 3]);
});

t.test('a delay line that is flushed releases all at once, in order', async t => {
  const out: number[] = [];
  const line = new DelayLine<number>(item => out.push(item));
  for (const item of [1, 2]) line.add(item, performance.now() + 60_000);
  line.flush();
  t.same(out, [1, 2]);
  line.add(3, performance.now());
  await new Promise<void>(resolve => {
    const last = new DelayLine<null>(() => resolve());
    last.add(null, performance.now() + 5);
  });
  t.same(out, [1, 2, 3], 'and goes on');
});

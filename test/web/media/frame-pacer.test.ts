import { readFileSync } from 'node:fs';
import t from 'tap';
import { RECENT_MS, RecentUse } from '../../../src/web/media/recent-use.js';
import { FramePacer, UNSEEN_MS } from '../../../src/web/media/video/frame-pacer.js';
import { watchScreen } from '../../fixtures/displays/screen.js';

const paced = () => true;
const atOnce = () => false;

/** Times at which frames of a stream arrive when each is late by up to `jitter` milliseconds, in their order. */
function stream({ fps, seconds, jitter }: { fps: number; seconds: number; jitter: number }): number[] {
  let seed = 1;
  let last = 0;
  return Array.from({ length: fps * seconds }, (_, frame) => {
    seed = (seed * 48271) % 2147483647;
    last = Math.max(last + 0.1, 5 + (frame * 1000) / fps + (seed / 2147483647) * jitter);
    return last;
  });
}

t.test('frames that arrive unevenly are all shown, evenly', async t => {
  const arrivals = stream({ fps: 60, seconds: 20, jitter: 16 });
  const [before, after] = [watchScreen(arrivals, atOnce), watchScreen(arrivals, paced)];
  t.ok(before.rate < 52, `at once, ${before.rate.toFixed(1)} a second are shown`);
  t.ok(after.rate > 59, `paced, ${after.rate.toFixed(1)} a second are shown`);
  t.ok(after.unevenness < 2 && before.unevenness > 5, `${before.unevenness} and ${after.unevenness} ms`);
  t.ok(after.delay - before.delay < 1000 / 60, 'at the cost of less than a refresh');
});

/** Milliseconds between the frames that a decoder returned on a busy machine in ten seconds, of two moving pages. */
const recorded = JSON.parse(readFileSync('test/fixtures/media/arrivals.json', 'utf8')) as Record<string, number[]>;

for (const [page, gaps] of Object.entries(recorded)) {
  t.test(`of the recorded frames of ${page}, more are shown, and more evenly`, async t => {
    let now = 0;
    const arrivals = gaps.map(gap => (now += gap));
    const [before, after] = [watchScreen(arrivals, atOnce), watchScreen(arrivals, paced)];
    t.ok(after.rate > before.rate * 1.1, `${before.rate.toFixed(1)} and ${after.rate.toFixed(1)} a second`);
    t.ok(after.unevenness < before.unevenness, `${before.unevenness} and ${after.unevenness} ms`);
    t.ok(after.delay - before.delay < 1000 / 60, `${before.delay} and ${after.delay} ms after they arrived`);
  });
}

t.test('frames that arrive evenly are not delayed', async t => {
  const arrivals = stream({ fps: 60, seconds: 10, jitter: 6 });
  t.equal(watchScreen(arrivals, paced).delay, watchScreen(arrivals, atOnce).delay);
});

t.test('the delay goes when the arrivals have become even again', async t => {
  const uneven = stream({ fps: 60, seconds: 5, jitter: 16 });
  const even = stream({ fps: 60, seconds: 10, jitter: 3 }).map(at => at + 5000);
  const { frames } = watchScreen([...uneven, ...even], paced);
  const last = frames.at(-1) ?? 0;
  const [calm, start] = [watchScreen(even, atOnce).frames, uneven.length];
  t.equal(last, (calm.at(-1) ?? 0) + start, 'the last refresh shows the frame that it would show without pacing');
  t.ok(frames.length > uneven.length + even.length - 12, 'a single frame is dropped for that, and few at the start');
});

t.test('at a lower rate than the screen’s, frames that arrive together are both shown', async t => {
  const arrivals = stream({ fps: 54, seconds: 20, jitter: 16 });
  t.ok(watchScreen(arrivals, atOnce).rate < 50);
  t.ok(watchScreen(arrivals, paced).rate > 53.5);
});

t.test('at most one frame is held beside the one for the next refresh', async t => {
  const dropped: number[] = [];
  const pacer = new FramePacer<number>(paced, frame => dropped.push(frame));
  for (let frame = 0; frame < 8; frame++) pacer.add(frame, frame * 16);
  dropped.length = 0;
  for (const frame of [8, 9, 10]) t.equal(pacer.add(frame, 130), null);
  t.same(dropped, [7, 8]);
  t.equal(pacer.refresh(131), 9);
  t.equal(pacer.refresh(147), 10);
  t.notOk(pacer.isWaiting);
  pacer.add(11, 150);
  pacer.clear();
  t.same(dropped, [7, 8, 11]);
});

t.test('a frame that comes after a pause is presented at once', async t => {
  const pacer = new FramePacer<string>(paced, () => {});
  for (let i = 0; i < 20; i++) t.equal(pacer.add('answer', i * 100), 'answer');
});

t.test('while the viewer uses the session, every frame is presented at once, and none that is older', async t => {
  const dropped: number[] = [];
  const use = new RecentUse();
  const pacer = new FramePacer<number>(
    now => !use.isRecent(now),
    frame => dropped.push(frame),
  );
  for (let frame = 0; frame < 10; frame++) {
    pacer.add(frame, frame * 16);
    pacer.refresh(frame * 16 + 8);
  }
  t.equal(pacer.add(10, 160), null, 'paced');
  use.note(165);
  t.equal(pacer.add(11, 176), 11, 'the answer to a key overtakes the frame that waits');
  t.same(dropped, [10]);
  for (let now = 192; now < 165 + RECENT_MS; now += 16) t.equal(pacer.add(now, now), now);
  t.equal(pacer.add(0, 165 + RECENT_MS), null, 'paced again');
});

t.test('of frames that follow each other immediately, only the last is presented', async t => {
  const dropped: number[] = [];
  const pacer = new FramePacer<number>(atOnce, frame => dropped.push(frame));
  t.equal(pacer.add(1, 0, true), null);
  t.equal(pacer.add(2, 1), 2);
  t.same(dropped, [1]);
  t.equal(pacer.add(3, 20, true), null, 'it waits for the one that follows');
  t.equal(pacer.refresh(30), 3, 'but not beyond the next refresh');
});

t.test('frames of a page that is not refreshed, since nobody can see it, are presented all the same', async t => {
  const pacer = new FramePacer<number>(paced, () => {});
  const presented = Array.from({ length: 100 }, (_, frame) => pacer.add(frame, frame * 16)).filter(
    frame => frame !== null,
  );
  const gaps = presented.slice(8).map((frame, i) => (frame - (presented[i + 7] ?? 0)) * 16);
  t.ok(presented.length > 10 && gaps.every(gap => gap <= UNSEEN_MS + 32), gaps.join(' '));
  t.equal(pacer.add(100, 1600) ?? pacer.flush(), 100);
});

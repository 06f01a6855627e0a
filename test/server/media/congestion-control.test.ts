import t from 'tap';
import { VideoSender } from '../../../src/server/media/video-sender.js';
import { INITIAL_KBPS } from '../../../src/server/media/congestion-control.js';
import { SHARED_MIN_KBPS, sharedRate } from '../../../src/server/media/shared-rate.js';

interface Path {
  /** Rate of the narrowest place, kbit/s, over time. */
  kbps: (now: number) => number;
  /** Propagation there and back, ms. */
  rttMs: number;
  /** From receipt to picture, ms. */
  playerMs?: number;
  /** When nothing passes for a while, ms. */
  halt?: { from: number; to: number };
  /** When the viewer's page does nothing for a while, ms. */
  freeze?: { from: number; to: number };
}

interface Shown {
  at: number;
  /** From capture to picture, ms. */
  delayMs: number;
}

/**
 * Plays a page in full motion over a path that queues without limit and loses nothing, as TCP does. The encoder
 * would like to send `naturalKbps` and keeps below its ceiling; key frames are four times larger.
 */
function play(path: Path, { seconds = 20, fps = 24, naturalKbps = 12_000, leastKbps = 0 } = {}) {
  const lane = new VideoSender();
  lane.measured(path.rttMs, 0);
  const shown: Shown[] = [];
  const rates: number[] = [];
  const acks: { id: number; at: number }[] = [];
  const pongs: { number: number; at: number }[] = [];
  let freeAt = 0;
  let isKeyWanted = true;
  for (let id = 0; id < seconds * fps; id++) {
    const now = (id * 1000) / fps;
    while (acks[0] !== undefined && acks[0].at <= now) {
      const { id: acked, at } = acks.shift() as { id: number; at: number };
      lane.acknowledge(acked, at);
    }
    while (pongs[0] !== undefined && pongs[0].at <= now) {
      const { number, at } = pongs.shift() as { number: number; at: number };
      lane.probed(number, at);
    }
    const ceiling = Math.max(leastKbps, Math.min(naturalKbps, lane.rate(now).kbps));
    const noise = 0.8 + (0.4 * ((id * 7919) % 100)) / 100;
    const bytes = Math.round(((ceiling * noise * (isKeyWanted ? 4 : 1)) / 8 / fps) * 1000);
    const frame = { id, key: isKeyWanted, layer: 'full', bytes: Buffer.alloc(0, 0, 'utf8') } as const;
    Object.defineProperty(frame.bytes, 'length', { value: bytes });
    const sent = lane.offer(frame, 0, now);
    isKeyWanted = false;
    if (sent) {
      const { from, to } = path.halt ?? { from: Infinity, to: 0 };
      freeAt = Math.max(freeAt, now + path.rttMs / 2, now >= from ? to : 0) + (bytes * 8) / path.kbps(now);
      shown.push({ at: now, delayMs: freeAt - now });
      const number = lane.probe(now);
      if (number !== undefined) pongs.push({ number, at: freeAt + path.rttMs / 2 });
      const shownAt = freeAt + (path.playerMs ?? 0);
      const isFrozen = path.freeze !== undefined && shownAt >= path.freeze.from && shownAt < path.freeze.to;
      acks.push({ id, at: (isFrozen ? Number(path.freeze?.to) : shownAt) + path.rttMs / 2 });
    } else if (lane.wantsKey(0, now)) {
      lane.asked(now);
      isKeyWanted = true;
    }
    rates.push(lane.rate(now).kbps);
  }
  return { shown, rates, fps };
}

const percentile = (values: number[], share: number) =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length * share)] ?? NaN;
const delays = (shown: Shown[], from: number, to = Infinity) =>
  shown.filter(({ at }) => at >= from && at < to).map(({ delayMs }) => delayMs);

t.test('a path of 3 Mbit/s stays usable', async t => {
  for (const rttMs of [20, 80, 200]) {
    const { shown, rates, fps } = play({ kbps: () => 3000, rttMs });
    const late = delays(shown, 4000);
    t.ok(percentile(late, 0.5) < rttMs / 2 + 150, `rtt ${rttMs}: median delay ${Math.round(percentile(late, 0.5))} ms`);
    t.ok(
      percentile(late, 0.95) < rttMs / 2 + 350,
      `rtt ${rttMs}: 95 % within ${Math.round(percentile(late, 0.95))} ms`,
    );
    t.ok(late.length > 16 * fps * 0.9, `rtt ${rttMs}: ${late.length} of ${16 * fps} frames shown`);
    const used = rates.slice(4 * fps).reduce((sum, kbps) => sum + kbps, 0) / (16 * fps);
    t.ok(used > 1500 && used < 3200, `rtt ${rttMs}: ${Math.round(used)} kbit/s on average`);
  }
});

t.test('a player that shows frames late is not mistaken for a slow path', async t => {
  const { rates } = play({ kbps: () => 50_000, rttMs: 20, playerMs: 500 });
  t.ok(Math.min(...rates) >= INITIAL_KBPS, `${Math.round(Math.min(...rates))} kbit/s at least`);
});

t.test('a page that freezes for a moment loses nothing', async t => {
  const { rates, fps } = play({ kbps: () => 50_000, rttMs: 20, freeze: { from: 5000, to: 5400 } });
  const [before, after] = [Number(rates[5 * fps]), Number(rates[6 * fps])];
  t.ok(after >= before, `${Math.round(before)} kbit/s before, ${Math.round(after)} after`);
});

t.test('a path that stalls for a moment recovers its rate soon', async t => {
  const { rates, fps } = play({ kbps: () => 50_000, rttMs: 20, halt: { from: 5000, to: 5400 } });
  const [before, after] = [Number(rates[5 * fps]), Number(rates[9 * fps])];
  t.ok(after > before * 0.8, `${Math.round(before)} kbit/s before, ${Math.round(after)} after 4 s`);
});

t.test('a path that narrows is noticed within a round trip or two', async t => {
  const { shown, rates, fps } = play({ kbps: now => (now < 5000 ? 50_000 : 3000), rttMs: 60 });
  t.ok(Math.min(...rates.slice(0, 5 * fps)) >= INITIAL_KBPS, 'no fall before');
  t.ok(Number(rates[Math.ceil(5.5 * fps)]) < 6000, `${rates[Math.ceil(5.5 * fps)]} kbit/s after 500 ms`);
  t.ok(percentile(delays(shown, 7000), 0.95) < 400, 'the queue is gone after 2 s');
});

t.test('on a path too narrow for the lowest rate frames are skipped, but never old', async t => {
  const { shown } = play({ kbps: () => 400, rttMs: 60 }, { seconds: 120, leastKbps: 500 });
  const late = delays(shown, 4000);
  t.ok(
    percentile(late, 1 - 1 / late.length) < 2500,
    `at most ${Math.round(percentile(late, 1 - 1 / late.length))} ms old`,
  );
  t.ok(late.length > 116 * 5, `${late.length} frames in 116 s`);
});

t.test('a path that widens is used again', async t => {
  const { rates } = play({ kbps: now => (now < 5000 ? 3000 : 50_000), rttMs: 60 }, { seconds: 40 });
  t.ok(Number(rates.at(-1)) > 10_000, `${Math.round(Number(rates.at(-1)))} kbit/s after 35 s`);
});

t.test('a still page changes nothing', async t => {
  const { rates } = play({ kbps: () => 50_000, rttMs: 20 }, { naturalKbps: 200, seconds: 60 });
  t.equal(rates.at(-1), INITIAL_KBPS);
});

t.test('the slowest viewer above a floor decides', async t => {
  const path = (kbps: number, isStalled = false) => ({ kbps, isStalled });
  t.equal(sharedRate([path(8000), path(3000.4), path(20_000)], SHARED_MIN_KBPS), 3000);
  t.equal(
    sharedRate([path(8000), path(300)], SHARED_MIN_KBPS),
    8000,
    'one on a hopeless path does not spoil it for the others',
  );
  t.equal(sharedRate([path(8000), path(2000, true)], SHARED_MIN_KBPS), 8000, 'nor does one of which nothing is heard');
  t.equal(sharedRate([path(300)], SHARED_MIN_KBPS), 300, 'alone it may');
  t.equal(sharedRate([path(300), path(400)], SHARED_MIN_KBPS), 1000);
});

import t, { type Test } from 'tap';
import { MAX_PROBES, PROBE_SILENCE_MS, VideoSender } from '../../../src/server/media/video-sender.js';

const FPS = 30;
/** Between the pings of a socket's heartbeat, ms. */
const HEARTBEAT_MS = 20_000;

interface Habits {
  /** From sending to the answer, ms. */
  rttMs: number;
  acknowledges?: boolean;
  answersHeartbeat?: boolean;
  answersProbes?: boolean;
  /** The page and the network of the viewer do nothing from then on, for so long, ms. */
  sleeps?: { from: number; for: number };
  /** The picture stands still after so many frames. */
  frames?: number;
}

/** Plays to a viewer for so many seconds; how many pings were sent, and when it was found to ignore them, ms. */
function play({ rttMs, frames = Infinity, ...habits }: Habits, seconds: number) {
  const { acknowledges = true, answersHeartbeat = true, answersProbes = true, sleeps } = habits;
  const sender = new VideoSender();
  const answers: { at: number; give(at: number): void }[] = [];
  let probes = 0;
  let ignoredAt: number | undefined;
  const due = (now: number) => {
    const at = now + rttMs;
    return sleeps !== undefined && at >= sleeps.from ? Math.max(at, sleeps.from + sleeps.for) : at;
  };
  let heartbeatAt = 0;
  for (let id = 1; id <= seconds * FPS; id++) {
    const now = (id * 1000) / FPS;
    while (answers[0] !== undefined && answers[0].at <= now) answers[0].give(answers.shift()?.at ?? 0);
    if (sender.ignoresProbes) ignoredAt ??= now;
    if (now >= heartbeatAt) {
      heartbeatAt = now + HEARTBEAT_MS;
      if (answersHeartbeat) answers.push({ at: due(now), give: at => sender.measured(at - now, at) });
    }
    if (id > frames) continue;
    const isSent = sender.offer({ id, key: id % FPS === 1, layer: 'full', bytes: Buffer.alloc(1000) }, 0, now);
    if (isSent && acknowledges) answers.push({ at: due(now), give: at => sender.acknowledge(id, at) });
    const number = isSent ? sender.probe(now) : undefined;
    if (number === undefined) continue;
    probes++;
    if (answersProbes) answers.push({ at: due(now), give: at => sender.probed(number, at) });
  }
  return { probes, ignoredAt };
}

t.test('a viewer that answers no probe gets 64 of them, and is found out after 20 s', async t => {
  for (const habits of [{}, { answersHeartbeat: false }, { acknowledges: false }]) {
    const { probes, ignoredAt = Infinity } = play({ rttMs: 20, answersProbes: false, ...habits }, 60);
    t.ok(probes <= MAX_PROBES, `${probes} probes`);
    t.ok(ignoredAt > PROBE_SILENCE_MS && ignoredAt < 2 * PROBE_SILENCE_MS + 1000, `found after ${ignoredAt} ms`);
  }
});

t.test('a wrong number costs the same after an hour', async t => {
  const sender = new VideoSender();
  for (let id = 1; id <= 3600 * FPS; id++) {
    const now = (id * 1000) / FPS;
    sender.offer({ id, key: id === 1, layer: 'full', bytes: Buffer.alloc(10) }, 0, now);
    sender.acknowledge(id, now);
    sender.probe(now);
  }
  const begun = performance.now();
  for (let i = 0; i < 10_000; i++) sender.probed(0xffff_ffff, 3_600_000);
  const ms = performance.now() - begun;
  t.ok(ms < 500, `10,000 wrong numbers in ${ms.toFixed(1)} ms`);
});

async function stays(t: Test, habits: Habits, seconds = 120): Promise<void> {
  const { probes, ignoredAt } = play(habits, seconds);
  t.equal(ignoredAt, undefined, JSON.stringify(habits));
  t.ok(probes > 0);
}

t.test('slow and sleeping viewers answer late, and stay', async t => {
  await stays(t, { rttMs: 20 });
  await stays(t, { rttMs: 3000 });
  await stays(t, { rttMs: 30_000 });
  await stays(t, { rttMs: 20, sleeps: { from: 5000, for: 35_000 } });
  await stays(t, { rttMs: 20, acknowledges: false });
});

t.test('so does one whose picture stands still, or whose client answers only the newest ping', async t => {
  await stays(t, { rttMs: 20, frames: 1 });
  await stays(t, { rttMs: 20, frames: 1, answersProbes: false }, 300);
});

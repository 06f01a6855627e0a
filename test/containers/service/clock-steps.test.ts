// tags: containers, alone, slow
import t, { type Test } from 'tap';
import { fakeTime } from '../../fixtures/services/faketime.js';
import { forkService } from '../../fixtures/services/forked-service.js';
import { StreamClient } from '../../fixtures/viewers/stream-client.js';
import { until } from '../../fixtures/until.js';

interface Started {
  session_id: string;
  embed_url: string;
}
interface Shown {
  creation_date: string;
  termination_date: string | null;
  termination_reason: string | null;
}

const HOUR = 3_600_000;
const WEEK = 168 * HOUR;

/** The longest that a step may hold up the service, ms. */
const STALL_MS = 50;

/** By how much a busy machine may be late, ms. */
const BUSY_MS = 5000;

/** How often each step is tried: other things hold it up, too, so the median counts. */
const ROUNDS = 3;

const time = await fakeTime(t);
const service = await forkService(t, time.env);
const { agent } = service;

const json = async <T>(answer: Promise<Response>) => (await (await answer).json()) as T;
const start = (timeout: object) =>
  json<Started>(service.api('POST', '/v0/vm', { timeout: { offline: null, warning: null, ...timeout } }));
const record = ({ session_id }: Started) => json<Shown>(service.api('GET', `/v0/vm/${session_id}`));

/** Seconds that all sessions have used. */
async function used(t: Test): Promise<number> {
  const { usage } = await json<{ usage: { date: string; seconds: number }[] }>(service.api('GET', '/v0/vm/usage'));
  for (const { date, seconds } of usage) t.ok(seconds >= 0, `${seconds} s on ${date}`);
  return usage.reduce((sum, { seconds }) => sum + seconds, 0);
}

/** Sets the clock of the service's machine, and waits until its process sees that. */
async function step(aheadMs: number): Promise<void> {
  await time.set(aheadMs);
  await until('the step', async () => Math.abs((await service.look()).date - Date.now() - aheadMs) < HOUR / 2);
}

/** Sessions with a timeout of each type, which viewers and calls keep busy until `rest`. */
async function activeSessions(timeoutS: number) {
  const sessions = await Promise.all(
    ['absolute', 'inactive', 'offline'].flatMap(type => [start({ [type]: timeoutS }), start({ [type]: timeoutS })]),
  );
  const watch = ({ embed_url }: Started) => StreamClient.join(embed_url.replace('http', 'ws').replace('?', '/stream?'));
  let viewers: StreamClient[] = [];
  const join = async () => {
    for (const viewer of viewers) viewer.leave();
    viewers = await Promise.all([...sessions, ...sessions].map(watch));
  };
  await join();
  const frames = setInterval(() => {
    agent.sendFrame();
    agent.tell({ type: 'activity', idle_ms: 0, offline_ms: null });
  }, 16);
  const call = async () => (await service.api('GET', '/v0/vm')).text();
  // Refused while it restarts.
  const calls = setInterval(() => void call().catch(() => ''), 20);
  const rest = () => {
    clearInterval(frames);
    clearInterval(calls);
    for (const viewer of viewers) viewer.leave();
  };
  return { sessions, join, rest };
}

/** A session that is started now ends at its deadline. */
async function endsOnTime(t: Test, started: Started, lifeMs: number): Promise<void> {
  const ended = await until('the end of the session', async () => {
    const shown = await record(started);
    return shown.termination_date === null ? null : shown;
  });
  t.equal(ended.termination_reason, 'absolute');
  const lived = Date.parse(ended.termination_date ?? '') - Date.parse(ended.creation_date);
  t.ok(lived >= lifeMs && lived <= lifeMs + BUSY_MS, `${lived} ms of ${lifeMs}`);
}

t.test('when the clock is set, nobody who is active ends, deadlines hold, and nothing stalls', async t => {
  const { sessions, rest } = await activeSessions(1800);
  t.teardown(rest);
  const [begun, usedBefore] = [performance.now(), await used(t)];
  const stalls = new Map<number, number[]>();
  for (let round = 0; round < ROUNDS; round++) {
    for (const aheadMs of [HOUR, -HOUR, WEEK]) {
      const short = await start({ absolute: 2.5 });
      await service.look();
      await step(aheadMs);
      await endsOnTime(t, short, 2500);
      stalls.set(aheadMs, [...(stalls.get(aheadMs) ?? []), (await service.look()).stallMs]);
    }
  }
  for (const [aheadMs, all] of stalls) {
    const median = all.toSorted((a, b) => a - b)[Math.floor(ROUNDS / 2)] ?? Infinity;
    t.ok(median < STALL_MS, `${aheadMs / HOUR} h: ${all.map(ms => ms.toFixed(1)).join(', ')} ms`);
  }
  for (const session of sessions) t.equal((await record(session)).termination_date, null);
  const seconds = (performance.now() - begun) / 1000;
  const total = (await used(t)) - usedBefore;
  const most = (sessions.length + 1) * seconds;
  t.ok(total >= sessions.length * seconds - 1 && total <= most, `${total} s used in ${seconds} s`);
});

for (const aheadMs of [HOUR, -HOUR, WEEK]) {
  t.test(`the same holds when it starts again with a clock that is ${aheadMs / HOUR} h ahead`, async t => {
    await step(0);
    const { sessions, join, rest } = await activeSessions(1800);
    t.teardown(rest);
    const [begun, usedBefore] = [performance.now(), await used(t)];
    await time.set(aheadMs);
    await service.restart();
    await join();
    await endsOnTime(t, await start({ absolute: 1.5 }), 1500);
    for (const session of sessions) t.equal((await record(session)).termination_date, null);
    const total = (await used(t)) - usedBefore;
    const seconds = (performance.now() - begun) / 1000;
    t.ok(total > 0 && total <= (3 * sessions.length + 1) * seconds, `${total} s used in ${seconds} s`);
    for (const { session_id } of sessions) await service.api('DELETE', `/v0/vm/${session_id}`);
    t.ok((await used(t)) - usedBefore >= total - 1, 'and stays used');
  });
}

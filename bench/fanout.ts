/**
 * Many viewers of one session: do all of them get every frame, and does one that stops reading disturb the others?
 *
 *   npx tsx bench/fanout.ts [viewers]              a fake agent at 24 frames a second, each part a process
 *   npx tsx bench/fanout.ts <viewers> <stream url> a running session with a moving picture
 */
import { once } from 'node:events';
import type { ChildProcess } from 'node:child_process';
import { setTimeout as wait } from 'node:timers/promises';
import { StreamClient } from '../test/fixtures/viewers/stream-client.js';
import { startChild } from './lib/child.js';
import { showLoad, summary, SUMMARY_HEAD, table, verdict } from './lib/report.js';
import { bench, type Scope } from './lib/scope.js';

const VIEWERS = Number(process.argv[2] ?? 100);
const SECONDS = 10;
const FPS = 24;

interface Usage {
  cpu: NodeJS.CpuUsage;
}

const nowUs = () => Number(process.hrtime.bigint() / 1000n);

async function target(scope: Scope): Promise<{ url: string; hub: ChildProcess | undefined }> {
  const url = process.argv[3];
  if (url !== undefined) return { url, hub: undefined };
  const agent = await startChild<{ port: number; secret: string }>(
    scope,
    new URL('./lib/agent-process.ts', import.meta.url),
    [String(FPS)],
  );
  const { port, secret } = agent.hello;
  const hub = await startChild<{ url: string }>(scope, new URL('./lib/hub-process.ts', import.meta.url), [
    String(port),
    secret,
  ]);
  return { url: hub.hello.url, hub: hub.child };
}

async function usageOf(hub: ChildProcess | undefined): Promise<number> {
  if (hub === undefined) return NaN;
  hub.send('usage');
  const [{ cpu }] = (await once(hub, 'message')) as [Usage];
  return (cpu.user + cpu.system) / 1e6;
}

interface Round {
  delays: number[];
  /** Frames that each viewer got, as a share of those that any viewer got. */
  shares: number[];
  frames: number;
  /** Share of one core that the hub used. */
  cpu: number;
}

/** Watches for some seconds with all viewers. */
async function round(viewers: readonly StreamClient[], hub: ChildProcess | undefined): Promise<Round> {
  const delays: number[] = [];
  const seen = viewers.map(() => new Set<number>());
  viewers.forEach((viewer, i) => {
    viewer.onFrame = (frame, message) => {
      seen[i]?.add(frame.id);
      delays.push((nowUs() - Number(message.readBigUInt64LE(6))) / 1000);
    };
  });
  const [before, started] = [await usageOf(hub), performance.now()];
  await wait(SECONDS * 1000);
  const cpu = ((await usageOf(hub)) - before) / ((performance.now() - started) / 1000);
  for (const viewer of viewers) viewer.onFrame = undefined;
  // The first and last frames may be partly outside the measurement.
  const all = [...new Set(seen.flatMap(ids => [...ids]))].sort((a, b) => a - b).slice(1, -1);
  const shares = seen.map(ids => all.filter(id => ids.has(id)).length / all.length);
  return { delays, shares, frames: all.length, cpu };
}

await bench(`${VIEWERS} viewers on one session`, async scope => {
  showLoad();
  const { url, hub } = await target(scope);
  const viewers: StreamClient[] = [];
  scope.teardown(() => viewers.forEach(viewer => viewer.leave()));
  for (let i = 0; i < VIEWERS; i++) viewers.push(await StreamClient.join(url, { audio: false }));
  const slow = await StreamClient.join(url, { audio: false });
  scope.teardown(() => slow.leave());
  await Promise.all(viewers.map(viewer => viewer.saw()));
  await wait(2000);

  const together = await round(viewers, hub);
  slow.socket.pause();
  const beside = await round(viewers, hub);
  slow.socket.resume();
  const resumedAt = performance.now();
  const back = await slow.saw(({ key, at, id }) => key && at > resumedAt && id >= Number(viewers[0]?.last?.id) - FPS);

  console.log(`${VIEWERS} viewers, from capture to receipt`);
  table([
    SUMMARY_HEAD('ms'),
    summary('all read', together.delays, 2),
    summary('beside one that does not', beside.delays, 2),
  ]);
  for (const { frames, shares, cpu } of [together, beside]) {
    console.log(
      `  ${frames} frames in ${SECONDS} s, hub ${(cpu * 100).toFixed(0)} % of a core, least share of a viewer:`,
    );
    verdict('every viewer gets every frame', Math.min(...shares), { atLeast: 1 }, 4);
  }
  console.log(`  the slow viewer has a fresh key frame ${(back.at - resumedAt).toFixed(0)} ms after it reads again`);
});

import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { encodeInput } from '../../src/protocol/input.js';
import { MessageType } from '../../src/protocol/message-type.js';
import { StreamClient } from '../../test/fixtures/viewers/stream-client.js';
import { startChild } from './child.js';
import type { FloodKind, FloodTarget } from './flood.js';
import { summary, SUMMARY_HEAD, table, verdict } from './report.js';
import type { Scope } from './scope.js';
import { median } from './statistics.js';

export const VIEWERS = 200;

const TURNS = 3;
const KEYS = 60;
const BETWEEN_KEYS_MS = 60;
/** By then the bursts that the limits allow are used up. */
const SETTLE_MS = 5000;
const FPS = 60;
/** A key press that is not answered by then counts as this long. */
const LATE_MS = 1000;

interface Usage {
  cpu: NodeJS.CpuUsage;
  delays: { median: number; p99: number; worst: number };
}

interface Service {
  child: ChildProcess;
  calm: FloodTarget;
  hostile: FloodTarget;
}

async function startService(scope: Scope): Promise<Service> {
  const folder = await mkdtemp(join(tmpdir(), 'berth-bench-'));
  scope.teardown(() => rm(folder, { recursive: true, force: true }));
  const { child, hello } = await startChild<{ sessions: [FloodTarget, FloodTarget] }>(
    scope,
    new URL('./service-process.ts', import.meta.url),
    [folder],
  );
  const [calm, hostile] = hello.sessions;
  return { child, calm, hostile };
}

async function asked<T>(child: ChildProcess, message: object | boolean): Promise<T> {
  const answered = once(child, 'message');
  child.send(message);
  const [answer] = (await answered) as [T];
  return answer;
}

/** Cores that the service used in that many milliseconds. */
const coresBetween = (before: Usage, after: Usage, ms: number): number =>
  (after.cpu.user + after.cpu.system - before.cpu.user - before.cpu.system) / 1000 / ms;

const streamOf = ({ base, token }: FloodTarget) => `${base.replace('http', 'ws')}/stream?token=${token}`;

/** Resolves with the next patch, or after a second: a viewer that is behind gets none. */
async function patched(viewer: StreamClient): Promise<void> {
  const over = new AbortController();
  const listen = (data: Buffer) => data[0] === MessageType.patch && over.abort();
  viewer.socket.on('message', listen);
  await wait(LATE_MS, undefined, { signal: over.signal }).catch(() => undefined);
  viewer.socket.off('message', listen);
}

/** The viewer of the calm session: its key presses, ms, and the share of the frames that it got. */
async function watch(viewer: StreamClient): Promise<{ keys: number[]; frames: number }> {
  const keys: number[] = [];
  const [first, begun] = [viewer.last?.id ?? 0, viewer.frames.length];
  for (let i = 0; i < KEYS; i++) {
    const pressed = performance.now();
    viewer.send(encodeInput({ type: 'key', down: i % 2 === 0, keysym: 0x61 }));
    await patched(viewer);
    keys.push(performance.now() - pressed);
    await wait(BETWEEN_KEYS_MS);
  }
  const frames = (viewer.frames.length - begun) / Math.max(1, (viewer.last?.id ?? 0) - first);
  viewer.frames.splice(0, viewer.frames.length - 1);
  viewer.binary.length = 0;
  return { keys, frames };
}

/** Key presses, frames and the event loop of a session alone, beside the flood into a sink, and beside the flood. */
export async function floodBeside(scope: Scope, viewers: number): Promise<void> {
  const service = await startService(scope);
  const spare = await startChild<{ port: number; secret: string }>(
    scope,
    new URL('./hostile-process.ts', import.meta.url),
    ['mixed'],
  );
  const { port, secret } = spare.hello;
  const sink = await startChild<{ base: string }>(scope, new URL('./sink-process.ts', import.meta.url), [
    String(port),
    secret,
  ]);
  const flood = async ({ base, token }: FloodTarget) =>
    (await startChild(scope, new URL('./flood-process.ts', import.meta.url), [base, token, 'all', String(viewers)]))
      .child;
  const floods = { sink: await flood({ ...sink.hello, token: 'any' }), service: await flood(service.hostile) };
  const viewer = await StreamClient.join(streamOf(service.calm), { audio: false });
  scope.teardown(() => viewer.leave());
  await viewer.saw();

  const keys = { alone: [] as number[], sink: [] as number[], service: [] as number[] };
  const frames = { alone: [] as number[], sink: [] as number[], service: [] as number[] };
  const usages: Record<keyof typeof keys, (Usage & { cores: number })[]> = { alone: [], sink: [], service: [] };
  for (let turn = 0; turn < TURNS; turn++) {
    for (const beside of ['alone', 'sink', 'service'] as const) {
      if (beside === 'sink') spare.child.send(true);
      if (beside === 'service') await asked(service.child, { hostile: true });
      if (beside !== 'alone') await asked(floods[beside], true);
      await wait(SETTLE_MS);
      const before = await asked<Usage>(service.child, {});
      const begun = performance.now();
      const { keys: pressed, frames: seen } = await watch(viewer);
      const after = await asked<Usage>(service.child, {});
      usages[beside].push({ ...after, cores: coresBetween(before, after, performance.now() - begun) });
      keys[beside].push(...pressed);
      frames[beside].push(seen);
      if (beside === 'sink') spare.child.send(false);
      if (beside === 'service') await asked(service.child, { hostile: false });
      if (beside !== 'alone') await asked(floods[beside], false);
      await wait(1000);
    }
  }
  console.log(`${viewers} hostile viewers and a hostile agent, key press to the answer of the agent`);
  const names = { alone: 'the session alone', sink: 'beside the flood into a sink', service: 'beside the flood' };
  table([
    SUMMARY_HEAD('ms'),
    ...(['alone', 'sink', 'service'] as const).map(beside => summary(names[beside], keys[beside], 2)),
  ]);
  for (const beside of ['alone', 'sink', 'service'] as const) {
    const delays = usages[beside].map(({ delays }) => delays);
    const cores = median(usages[beside].map(({ cores }) => cores));
    console.log(
      `  ${names[beside]}: ${(100 * median(frames[beside])).toFixed(1)} % of the frames; event loop ` +
        `${median(delays.map(each => each.median)).toFixed(1)} ms median, ${median(delays.map(each => each.p99)).toFixed(1)} ms p99; ` +
        `${cores.toFixed(2)} of a core`,
    );
  }
  verdict('median added to a key press, ms', median(keys.service) - median(keys.sink), { atMost: 2 });
  verdict('share of the frames lost more', median(frames.sink) - median(frames.service), { atMost: 1 / FPS }, 4);
}

/** The delay of the service's event loop while viewers only ping, or only move their pointers. */
export async function loopDelay(scope: Scope, kind: FloodKind, viewers: number): Promise<void> {
  const { child, hostile } = await startService(scope);
  const { base, token } = hostile;
  const flood = await startChild(scope, new URL('./flood-process.ts', import.meta.url), [
    base,
    token,
    kind,
    String(viewers),
  ]);
  await asked(flood.child, true);
  await wait(SETTLE_MS);
  const before = await asked<Usage>(child, {});
  const begun = performance.now();
  await wait(SETTLE_MS);
  const after = await asked<Usage>(child, {});
  const cores = coresBetween(before, after, performance.now() - begun);
  const { delays } = after;
  await asked(flood.child, false);
  console.log(
    `${viewers} viewers, ${kind}: event loop ${delays.median.toFixed(1)} ms median, ${delays.p99.toFixed(1)} ms p99, ` +
      `${delays.worst.toFixed(1)} ms worst; ${cores.toFixed(2)} of a core`,
  );
  verdict('median delay of the event loop, ms', delays.median, { atMost: 5 }, 1);
}

/**
 * Requests per second that the service answers about sessions, and how long it takes to start one where its engine
 * takes no time, beside bare Express routes: one that does the least that any service must (key, database), and one
 * that gives the same answer and does nothing.
 *
 *   npx tsx bench/control-plane.ts [rounds]
 */
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startChild } from './lib/child.js';
import { showLoad, SUMMARY_HEAD, summary, table, verdict } from './lib/report.js';
import { type Repeated, requestRate } from './lib/requests.js';
import { bench, type Scope } from './lib/scope.js';
import { median, shuffled } from './lib/statistics.js';

const ROUNDS = Number(process.argv[2] ?? 9);
const LOAD = { ms: 1000, connections: 16 };
/** Until then V8 has compiled what runs often. */
const WARM_UP = { ...LOAD, ms: 4000 };
/** Sessions that run meanwhile, and days with usage. */
const [SESSIONS, DAYS] = ['10', '30'];
const STARTS_PER_ROUND = 20;

interface Plane {
  url: string;
  key: string;
  id: string;
  database: string;
}

/** One server's answers to one operation. */
interface Side {
  name: 'Berth' | 'least' | 'same';
  child: ChildProcess;
  request: Repeated;
  rates: number[];
  times: number[];
  /** Processor time per answer, µs. */
  costs: number[];
}

await bench('Requests of the control plane, answers a second', async scope => {
  const { plane, child: berth } = await startPlane(scope);
  const headers = { authorization: `Bearer ${plane.key}` };
  const reads = [`/v0/vm/${plane.id}`, '/v0/vm', '/v0/vm/usage'];
  const answers = Object.fromEntries(
    await Promise.all(reads.map(async path => [path, await (await fetch(plane.url + path, { headers })).json()])),
  ) as Record<string, unknown>;
  const bare = await startChild<{ url: string }>(scope, new URL('./lib/bare-express.ts', import.meta.url), [
    plane.database,
    plane.key,
    JSON.stringify(answers),
  ]);
  const side = (name: Side['name'], child: ChildProcess, request: Repeated): Side => ({
    ...{ name, child, request },
    ...{ rates: [], times: [], costs: [] },
  });
  const sidesOf = (path: string): Side[] => [
    side('Berth', berth, { url: plane.url + path, headers }),
    side('least', bare.child, { url: `${bare.hello.url}/least${path}`, headers }),
    side('same', bare.child, { url: `${bare.hello.url}/same${path}`, headers }),
  ];
  const operations = new Map(reads.map(path => [`GET ${path.replace(plane.id, '{id}')}`, sidesOf(path)]));
  const starts = [
    { name: 'Berth', origin: plane.url, times: [] as number[] },
    { name: 'least', origin: `${bare.hello.url}/least`, times: [] as number[] },
  ];
  showLoad();
  for (let round = -1; round < ROUNDS; round++) {
    // Side by side, so that other work on the machine disturbs all of them alike.
    for (const sides of operations.values())
      for (const each of shuffled(sides)) {
        if (round < 0) await requestRate(each.request, WARM_UP);
        else await measure(each);
      }
    for (const each of shuffled(starts)) {
      const times = await startAndEnd(each.origin, headers);
      if (round >= 0) each.times.push(...times);
    }
  }
  for (const [name, sides] of operations) report(name, sides);
  console.log('\nPOST /v0/vm, one after the other');
  table([SUMMARY_HEAD('ms'), ...starts.map(({ name, times }) => summary(name, times, 2))]);
});

async function startPlane(scope: Scope): Promise<{ plane: Plane; child: ChildProcess }> {
  const folder = await mkdtemp(join(tmpdir(), 'berth-bench-'));
  scope.teardown(() => rm(folder, { recursive: true, force: true }));
  const url = new URL('./lib/plane-process.ts', import.meta.url);
  const { child, hello } = await startChild<Plane>(scope, url, [folder, SESSIONS, DAYS]);
  return { plane: hello, child };
}

async function measure({ child, request, rates, times, costs }: Side): Promise<void> {
  const before = await usageOf(child);
  const measured = await requestRate(request, LOAD);
  const spent = (await usageOf(child)) - before;
  rates.push(measured.perSecond);
  times.push(...measured.times);
  costs.push(spent / measured.times.length);
}

/** Starts and ends sessions one after the other; returns how long each start took, ms. */
async function startAndEnd(origin: string, headers: Record<string, string>): Promise<number[]> {
  const times: number[] = [];
  for (let i = 0; i < STARTS_PER_ROUND; i++) {
    const sent = performance.now();
    const started = await fetch(`${origin}/v0/vm`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify({ start_url: 'https://example.com/' }),
    });
    const { session_id: id } = (await started.json()) as { session_id: string };
    times.push(performance.now() - sent);
    await (await fetch(`${origin}/v0/vm/${id}`, { method: 'DELETE', headers })).text();
  }
  return times;
}

/** Processor time that a server has used, µs. */
async function usageOf(child: ChildProcess): Promise<number> {
  child.send('usage');
  const [{ cpu }] = (await once(child, 'message')) as [{ cpu: NodeJS.CpuUsage }];
  return cpu.user + cpu.system;
}

function report(operation: string, sides: readonly Side[]): void {
  console.log(`\n${operation}`);
  table([
    [...SUMMARY_HEAD('/s'), 'median ms', 'µs of a core'],
    ...sides.map(({ name, rates, times, costs }) => [
      ...summary(name, rates, 0),
      median(times).toFixed(2),
      median(costs).toFixed(0),
    ]),
  ]);
  const [berth, least, same] = sides.map(({ rates }) => median(rates));
  console.log(`  of the same answer: ${((berth ?? NaN) / (same ?? NaN)).toFixed(2)}`);
  verdict('of the least that is needed', (berth ?? NaN) / (least ?? NaN), { atLeast: 0.6 });
}

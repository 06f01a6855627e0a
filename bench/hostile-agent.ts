/**
 * What hostile sessions do to another one of the same service.
 *
 * A hostile agent that uses its full budget, beside a hub: the round trip of an input that is answered by a frame,
 * alternately with and without it. 200 hostile viewers, and that agent, beside a whole service: the round trip of a key,
 * frames at 60 a second, and the event loop's delay; alternately alone, with the same flood into a sink that takes no
 * notice of it, which tells what the flood itself takes from the processors, and with the flood. Viewers that only
 * ping, and viewers that only move their pointers, as in ordinary use: the event loop's delay.
 *
 *   npx tsx bench/hostile-agent.ts                      all of it, each part a process
 *   npx tsx bench/hostile-agent.ts viewers pings=50     one of agent, viewers, pings, pointers, and how many viewers
 */
import { setTimeout as wait } from 'node:timers/promises';
import { encodeInput } from '../src/protocol/input.js';
import { StreamClient } from '../test/fixtures/viewers/stream-client.js';
import { startChild } from './lib/child.js';
import { showLoad, summary, SUMMARY_HEAD, table, verdict } from './lib/report.js';
import { floodBeside, loopDelay, VIEWERS } from './lib/hostile-viewers.js';
import { bench, type Scope } from './lib/scope.js';
import { median } from './lib/statistics.js';

const TURNS = 6;
const TRIPS = 150;

/** Viewers of the hostile session, which receive what its agent sends. */
const ITS_VIEWERS = 3;

interface Agent {
  port: number;
  secret: string;
}

/** Milliseconds from each input to the frame that answers it. */
async function roundTrips(viewer: StreamClient): Promise<number[]> {
  const times: number[] = [];
  const move = encodeInput({ type: 'move', x: 0.5, y: 0.5 });
  for (let i = 0; i < TRIPS; i++) {
    const answered = new Promise<void>(resolve => (viewer.onFrame = () => resolve()));
    const started = performance.now();
    viewer.send(move);
    await answered;
    times.push(performance.now() - started);
    await wait(10);
  }
  return times;
}

async function compare(scope: Scope, sends: 'mixed' | 'texts'): Promise<void> {
  const calm = await startChild<Agent>(scope, new URL('./lib/agent-process.ts', import.meta.url), ['0']);
  const hostile = await startChild<Agent>(scope, new URL('./lib/hostile-process.ts', import.meta.url), [sends]);
  const agents = [calm.hello, hostile.hello].flatMap(({ port, secret }) => [String(port), secret]);
  const hub = await startChild<{ urls: [string, string] }>(
    scope,
    new URL('./lib/hub-process.ts', import.meta.url),
    agents,
  );
  const [url, itsUrl] = hub.hello.urls;
  const cpu = async () => {
    const answer = new Promise<{ cpu: NodeJS.CpuUsage }>(resolve =>
      hub.child.once('message', message => resolve(message as never)),
    );
    hub.child.send('');
    const { user, system } = (await answer).cpu;
    return (user + system) / 1e6;
  };
  for (let i = 0; i < ITS_VIEWERS; i++) {
    const watcher = await StreamClient.join(itsUrl);
    scope.teardown(() => watcher.leave());
    // Its input is discarded.
    setInterval(() => [watcher.told, watcher.binary, watcher.frames].forEach(list => list.splice(0)), 500).unref();
  }
  const viewer = await StreamClient.join(url, { audio: false });
  scope.teardown(() => viewer.leave());
  await viewer.saw();
  const times = { without: [] as number[], with: [] as number[] };
  const busy = { without: 0, with: 0 };
  for (let turn = 0; turn < 2 * TURNS; turn++) {
    const which = turn % 2 === 0 ? 'without' : 'with';
    hostile.child.send(which === 'with');
    // Its burst allowance is used up after the first seconds.
    await wait(turn === 1 ? 10_000 : 1000);
    const [before, begun] = [await cpu(), performance.now()];
    times[which].push(...(await roundTrips(viewer)));
    busy[which] += ((await cpu()) - before) / ((performance.now() - begun) / 1000) / TURNS;
  }
  console.log(sends === 'mixed' ? 'all of each of its budgets' : 'texts as large as can be');
  table([
    SUMMARY_HEAD('ms'),
    summary('the session alone', times.without, 2),
    summary('beside a hostile agent', times.with, 2),
  ]);
  console.log(`  the hub takes ${busy.without.toFixed(2)} of a core, beside a hostile agent ${busy.with.toFixed(2)}`);
  verdict('median added, ms', median(times.with) - median(times.without), { atMost: 1 });
}

const PARTS: Record<string, (scope: Scope, viewers: number) => Promise<void>> = {
  agent: async scope => {
    await compare(scope, 'mixed');
    await compare(scope, 'texts');
  },
  viewers: floodBeside,
  pings: (scope, viewers) => loopDelay(scope, 'pings', viewers),
  pointers: (scope, viewers) => loopDelay(scope, 'pointers', viewers),
};

const chosen = process.argv.slice(2).map(argument => argument.split('='));
await bench('Hostile agents and viewers beside another session', async scope => {
  showLoad();
  for (const [part, viewers] of chosen.length > 0 ? chosen : Object.keys(PARTS).map(name => [name]))
    await PARTS[part ?? '']?.(scope, Number(viewers ?? VIEWERS));
});

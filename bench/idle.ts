/**
 * Memory and processor time of sessions that nobody watches, beside bare containers of the same browser at the same
 * time, so that pages of the programs are shared alike: as many with Chromium's defaults, and as many with the arguments
 * of sessions.
 *
 *   npx tsx bench/idle.ts          10 sessions, 10 and 10 bare containers
 *   npx tsx bench/idle.ts 20
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { bareImage, type BrowserCommand } from './lib/bare.js';
import { startBerth, startSession } from './lib/berth.js';
import { chromiumCommand, plainCommand } from './lib/chromium.js';
import { CHROMIUM_CONTAINER, nameOf, startContainer } from './lib/docker.js';
import { accounted, restOf, type Rest } from './lib/memory.js';
import { showLoad, table, verdict } from './lib/report.js';
import { bench } from './lib/scope.js';
import { median } from './lib/statistics.js';

const COUNT = Number(process.argv[2] ?? 10);
/** By then the browsers have started and done what they do once. */
const SETTLE_MS = 25_000;
const SECONDS = 20;
const SCENE = { url: 'about:blank', width: 1280, height: 720 };

interface Result {
  name: string;
  rests: Rest[];
  pss: number;
  accounted: number;
  cores: number;
}

const total = ({ programs }: Rest) => [...programs.values()].reduce((sum, mib) => sum + mib, 0);

await bench(`${COUNT} idle sessions beside ${COUNT} bare containers`, async scope => {
  const service = await startBerth(scope, { most: COUNT });
  const bare = async (browser: BrowserCommand) => {
    const name = nameOf('bare');
    await startContainer(scope, name, [...CHROMIUM_CONTAINER, '-e', 'DISPLAY=:0', ...bareImage(SCENE, browser)]);
    return name;
  };
  const sides = [
    { name: 'Berth', start: async () => (await startSession(service, SCENE)).container, containers: [] as string[] },
    { name: 'bare', start: () => bare(plainCommand), containers: [] as string[] },
    { name: "with sessions' arguments", start: () => bare(chromiumCommand), containers: [] as string[] },
  ];
  for (let i = 0; i < COUNT; i++) {
    for (const { start, containers } of sides) containers.push(await start());
  }
  await sleep(SETTLE_MS);
  showLoad();
  const read = (containers: readonly string[]) => Promise.all(containers.map(restOf));
  const before = await Promise.all(sides.map(({ containers }) => read(containers)));
  const began = performance.now();
  await sleep(SECONDS * 1000);
  const seconds = (performance.now() - began) / 1000;
  const results: Result[] = [];
  for (const [i, { name, containers }] of sides.entries()) {
    const rests = await read(containers);
    const used = rests.map((rest, n) => spent(rest) - spent(before[i]?.[n]));
    results.push({
      name,
      rests,
      pss: median(rests.map(total)),
      accounted: median(await accounted(containers)),
      cores: used.reduce((sum, each) => sum + each, 0) / seconds,
    });
  }
  const names = [...new Set(results.flatMap(({ rests }) => rests.flatMap(({ programs }) => [...programs.keys()])))];
  const mib = (rests: readonly Rest[], name: string) => median(rests.map(({ programs }) => programs.get(name) ?? 0));
  table([
    ['MiB of each, proportional set size, median', ...results.map(({ name }) => name)],
    ...names.map(name => [name, ...results.map(({ rests }) => mib(rests, name).toFixed(1))]),
    ['all', ...results.map(({ pss }) => pss.toFixed(1))],
    ['accounted to the container', ...results.map(each => each.accounted.toFixed(1))],
    [`cores, all ${COUNT} together`, ...results.map(({ cores }) => cores.toFixed(3))],
  ]);
  const [ours, theirs] = results;
  verdict('proportional set size to that of a bare container', (ours?.pss ?? NaN) / (theirs?.pss ?? NaN), {
    atMost: 1.15,
  });
  verdict('accounted memory to that of a bare container', (ours?.accounted ?? NaN) / (theirs?.accounted ?? NaN), {
    atMost: 1.15,
  });
});

function spent(rest: Rest | undefined): number {
  return [...(rest?.seconds.values() ?? [])].reduce((sum, each) => sum + each, 0);
}

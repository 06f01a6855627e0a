/**
 * For each console: the time from a button press to the changed pixel, at the viewer and at the container's X server;
 * frames per second of a game that changes with each frame; and a session's CPU time by process. Arguments choose
 * consoles.
 */
import { spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { build } from 'esbuild';
import { serveCards } from '../test/fixtures/consoles/cards.js';
import type { Service } from '../test/fixtures/services/service.js';
import { PadButton } from '../src/protocol/pad.js';
import { endSession, startBerth, startConsole } from './lib/berth.js';
import { showLoad, summary, SUMMARY_HEAD, table, verdict } from './lib/report.js';
import { bench, type Scope } from './lib/scope.js';
import { between, median } from './lib/statistics.js';
import { coresBetween, usageOf } from './lib/usage.js';
import { Viewer } from './lib/viewer.js';

const SIZE = { width: 1280, height: 720 };
const BATCHES = 6;
const PRESSES = 10;
const SECONDS = 10;
/** Time for the frame rate to settle. */
const SETTLE_MS = 4000;
/** The key whose button turns the test card red. */
const KEY = 'x';

const CONSOLES = [
  { type: 'nes', ending: 'nes', idle: [21, 60, 254], button: PadButton.a, emulator: 'retroarch' },
  { type: 'snes', ending: 'sfc', idle: [33, 33, 255], button: PadButton.a, emulator: 'retroarch' },
  { type: 'n64', ending: 'z64', idle: [33, 33, 255], button: PadButton.b, emulator: 'mupen64plus' },
  { type: 'ps1', ending: 'exe', idle: [32, 32, 248], button: PadButton.a, emulator: 'retroarch' },
] as const;
type Console = (typeof CONSOLES)[number];

const chosen = new Set(process.argv.slice(2));

await bench('Consoles at the viewer', async scope => {
  const service = await startBerth(scope, { games: true });
  const origin = await serveCards(scope);
  const inside = await insidePress();
  showLoad();
  for (const each of CONSOLES.filter(({ type }) => chosen.size === 0 || chosen.has(type))) {
    console.log(each.type);
    await presses(scope, service, origin, each, inside);
    await frames(scope, service, origin, each);
  }
});

async function presses(
  scope: Scope,
  service: Service,
  origin: string,
  { type, ending, idle, button }: Console,
  inside: string,
): Promise<void> {
  const session = await startConsole(service, { type, room_url: `${origin}/card.${ending}`, ...SIZE });
  const viewer = await Viewer.open(scope, SIZE);
  await viewer.visit(session.url);
  await viewer.seesColour(idle);
  await viewer.focus();
  await sleep(SETTLE_MS);
  const seen: number[] = [];
  const drawn: number[] = [];
  for (let batch = 0; batch < BATCHES; batch++) {
    for (let press = 0; press < PRESSES; press++) {
      await sleep(between(120, 400));
      seen.push(await viewer.holdToChange(KEY));
      await viewer.seesColour(idle);
    }
    drawn.push(...(await runInside(session.container, inside, [PRESSES, button])));
  }
  table([SUMMARY_HEAD('ms'), summary('viewer', seen), summary('X server', drawn)]);
  verdict(`${type}: ms added by the way to the viewer`, median(seen) - median(drawn), { atMost: 12 }, 1);
  await viewer.page.context().close();
  await endSession(service, session);
}

async function frames(
  scope: Scope,
  service: Service,
  origin: string,
  { type, ending, emulator }: Console,
): Promise<void> {
  const session = await startConsole(service, { type, room_url: `${origin}/card-flicker.${ending}`, ...SIZE });
  const viewer = await Viewer.open(scope, SIZE);
  await viewer.visit(session.url);
  await viewer.seesColour([255, 255, 255]);
  await sleep(SETTLE_MS);
  const before = await usageOf(session.container);
  const { seconds, drawn, shown } = await viewer.countColours(SECONDS * 1000);
  const cores = coresBetween(before, await usageOf(session.container));
  const programs = [emulator, 'Xvfb', 'berth-display', 'node', 'pulseaudio'];
  table([
    ['', 'shown/s', 'drawn/s', ...programs],
    [
      '',
      (shown / seconds).toFixed(1),
      (drawn / seconds).toFixed(1),
      ...programs.map(name => (cores.get(name) ?? 0).toFixed(2)),
    ],
  ]);
  verdict(`${type}: frames shown a second`, shown / seconds, { atLeast: 58 }, 1);
  await viewer.page.context().close();
  await endSession(service, session);
}

/** The source of the program that measures in a container. */
async function insidePress(): Promise<string> {
  const entry = new URL('lib/inside-press.ts', import.meta.url).pathname;
  const { outputFiles } = await build({
    entryPoints: [entry],
    bundle: true,
    format: 'esm',
    platform: 'node',
    write: false,
  });
  return outputFiles[0]?.text ?? '';
}

/** Runs it there and returns its measurements. */
async function runInside(container: string, program: string, args: readonly number[]): Promise<number[]> {
  const child = spawn('docker', ['exec', '-i', container, 'node', '--input-type=module', '-', ...args.map(String)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  child.stdin.end(program);
  let text = '';
  for await (const piece of child.stdout) text += String(piece);
  return JSON.parse(text) as number[];
}

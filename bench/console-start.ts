/**
 * For each console: the time from `POST /console` to the first picture of the game in a viewer, with the default warm
 * pool, which holds a container of each console that was started lately, and without one. Compared with the same
 * emulator in a container without Berth, and with the emulator alone. A ps1 is measured with a program and with a disc,
 * which its BIOS starts. Arguments: number of rounds, and which consoles (`nes snes n64 ps1`) and sides (`warm cold bare
 * emulator`) are measured; all by default.
 */
import { KINDS } from '../src/agent/kinds/index.js';
import { serveFolder } from '../test/fixtures/consoles/cards.js';
import { testCards } from '../test/fixtures/consoles/roms.js';
import type { Service } from '../test/fixtures/services/service.js';
import { bareConsole, bareEmulator, readyGame, type Scene } from './lib/bare-console.js';
import { startBerth, startConsole } from './lib/berth.js';
import { showLoad, verdict } from './lib/report.js';
import { bench, type Scope } from './lib/scope.js';
import { StartRounds } from './lib/start-rounds.js';
import { median } from './lib/statistics.js';
import { Viewer } from './lib/viewer.js';

const SIZE = { width: 1280, height: 720 };
/** Where viewers' pages are looked at, too. */
const SPOT = { x: SIZE.width >> 2, y: SIZE.height >> 2 };
const GOAL_MS = 1200;
/** What a disc's start may take on top of the emulator's own time. */
const DISC_GOAL_MS = 300;
/** Time for the engine to clean up after a container, and for the pool to replace it. */
const PAUSE_MS = 4000;
/** Tells the pool that this console is started. */
const FIRST_ROUNDS = 1;

const CONSOLES = [
  { type: 'nes', file: 'card.nes', idle: [21, 60, 254] },
  { type: 'snes', file: 'card.sfc', idle: [33, 33, 255] },
  { type: 'n64', file: 'card.z64', idle: [33, 33, 255] },
  { type: 'ps1', file: 'card.exe', idle: [32, 32, 248] },
  { type: 'ps1', file: 'card-ps1.chd', idle: [32, 32, 248], isDisc: true },
] as const;
type Console = (typeof CONSOLES)[number];

const rounds = Number(process.argv[2] ?? 10);
const chosen = process.argv.slice(3);
const isChosen = (name: string, of: readonly string[]) =>
  !chosen.some(each => of.includes(each)) || chosen.includes(name);
const SIDES = ['warm', 'cold', 'bare', 'emulator'];

await bench('Start of a console to the first picture of its game, milliseconds', async scope => {
  const folder = await testCards(scope);
  const origin = await serveFolder(scope, folder);
  const viewer = await Viewer.open(scope, SIZE);
  const services = {
    warm: isChosen('warm', SIDES) ? await startBerth(scope, { games: true, warm: 1 }) : null,
    cold: isChosen('cold', SIDES) ? await startBerth(scope, { games: true }) : null,
  };
  showLoad();
  const types = CONSOLES.map(({ type }) => type);
  for (const each of CONSOLES.filter(({ type }) => isChosen(type, types))) {
    await compare(scope, each, folder, origin, viewer, services);
  }
  showLoad();
});

async function compare(
  scope: Scope,
  each: Console,
  folder: string,
  origin: string,
  viewer: Viewer,
  { warm, cold }: { warm: Service | null; cold: Service | null },
): Promise<void> {
  const { type, file, idle } = each;
  const { games } = KINDS[type];
  const game = await readyGame(scope, games, `${folder}/${file}`);
  const scene: Scene = { games, file: game, ...SIZE, colour: idle, at: SPOT };
  console.log(file);
  const starts = new StartRounds();
  const fields = { type, room_url: `${origin}/${file}`, ...SIZE };
  const seen = (name: string, service: Service) =>
    starts.seen(name, { service, viewer, colour: idle, start: () => startConsole(service, fields) });
  const pool = warm && seen('Berth, warm pool', warm);
  const none = cold && seen('Berth, without', cold);
  const bare = isChosen('bare', SIDES) ? starts.side('bare container', () => bareConsole(scene)) : null;
  const alone = isChosen('emulator', SIDES) ? starts.side('  the emulator alone', () => bareEmulator(scene)) : null;
  await starts.run({ rounds, first: FIRST_ROUNDS, pause: PAUSE_MS });
  const isDisc = 'isDisc' in each;
  if (pool && !isDisc) verdict(`${type}: as it comes, milliseconds`, median(pool), { atMost: GOAL_MS }, 0);
  if (pool && alone && isDisc)
    verdict(`${type}: on top of the emulator's own time`, median(pool) - median(alone), { atMost: DISC_GOAL_MS }, 0);
  if (none && bare)
    verdict(`${type}: without the warm pool, beside the bare container`, median(none) / median(bare), { atMost: 1.25 });
}

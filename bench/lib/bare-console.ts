import { spawn } from 'node:child_process';
import { chmod, copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { DISPLAY, PULSE_SERVER } from '../../src/agent/process/environment.js';
import type { ConsoleGames } from '../../src/agent/console/console-games.js';
import { SAVE_FOLDER, STATE_FOLDER } from '../../src/agent/console/paths.js';
import { prepareRom } from '../../src/agent/console/rom/prepare.js';
import { until } from '../../test/fixtures/until.js';
import { LONGEST_MS, painted, type Point } from './bare.js';
import { docker, nameOf } from './docker.js';
import type { Scope } from './scope.js';

/** The image of console sessions. */
const IMAGE = `${process.env['BERTH_IMAGE_PREFIX'] ?? 'berth'}/console`;

const HOME = '/home/berth';
const RUNTIME = '/run/berth';
const ENVIRONMENT = { DISPLAY, PULSE_SERVER, HOME, XDG_RUNTIME_DIR: RUNTIME, LANG: 'C.UTF-8' };

/** What an emulator needs, and then the command. */
const SCRIPT = `
mkdir -p ${SAVE_FOLDER} ${STATE_FOLDER}
Xvfb ${DISPLAY} -screen 0 "$0"x24 -nolisten tcp -ac &
pulseaudio --daemonize=no --exit-idle-time=-1 -n -F /etc/berth/pulse.pa &
while ! [ -S /tmp/.X11-unix/X0 ] || ! [ -S ${PULSE_SERVER.replace('unix:', '')} ]; do sleep 0.01; done
exec "$@"`;
/** A command that starts when a line comes. */
const ON_LINE = 'read line; exec "$@"';

/** A game, and how it looks when it has started. */
export interface Scene {
  readonly games: ConsoleGames;
  /** The game's file on this machine, in a folder that everybody may read. */
  readonly file: string;
  readonly width: number;
  readonly height: number;
  readonly colour: readonly number[];
  /** Where the colour is looked for. */
  readonly at: Point;
}

/** Makes a game ready as sessions do, in a folder of its own that goes with the scope; returns the file to start. */
export async function readyGame(scope: Scope, games: ConsoleGames, file: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'berth-bench-game-'));
  scope.teardown(() => rm(folder, { recursive: true, force: true }));
  await chmod(folder, 0o755);
  const copy = join(folder, basename(file));
  await copyFile(file, copy);
  const { path } = await prepareRom(
    games,
    { file: copy, name: basename(file) },
    Infinity,
    new AbortController().signal,
    join(folder, 'files'),
  );
  return path;
}

/** Milliseconds from `docker run` of the consoles' image, with X server, sound and emulator, to the game's picture. */
export async function bareConsole(scene: Scene): Promise<number> {
  const command = await emulatorCommand(scene);
  return inContainer(scene, async (args, sockets) => {
    const began = performance.now();
    const child = spawn('docker', ['run', '--rm', ...args, ...command], { stdio: 'ignore' });
    await painted(join(sockets, 'X0'), scene.colour, began + LONGEST_MS, scene.at);
    const taken = performance.now() - began;
    child.kill();
    return taken;
  });
}

/** The same of the emulator alone, where container, X server and sound are there already. */
export async function bareEmulator(scene: Scene): Promise<number> {
  const command = await emulatorCommand(scene);
  return inContainer(scene, async (args, sockets, name) => {
    await docker('run', '-d', '--rm', ...args, 'sleep', 'infinity');
    await until('the X server is there', () =>
      docker('exec', name, 'test', '-S', '/tmp/.X11-unix/X0').then(() => true),
    );
    const waiting = spawn('docker', ['exec', '-i', name, 'sh', '-c', ON_LINE, 'sh', ...command], {
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    await until('it waits', async () => (await docker('top', name)).includes(ON_LINE));
    const began = performance.now();
    waiting.stdin.write('\n');
    await painted(join(sockets, 'X0'), scene.colour, began + LONGEST_MS, scene.at);
    const taken = performance.now() - began;
    waiting.kill();
    return taken;
  });
}

/** Runs a measurement with the arguments of `docker run` up to a command, and removes the container. */
async function inContainer(
  { file, width, height }: Scene,
  run: (args: readonly string[], sockets: string, name: string) => Promise<number>,
): Promise<number> {
  const name = nameOf('bare-console');
  const sockets = await mkdtemp(join(tmpdir(), 'berth-bench-x-'));
  await chmod(sockets, 0o1777);
  const args = [
    ...['--name', name, '--shm-size', '512m'],
    ...['--tmpfs', `${HOME}:uid=1000,gid=1000,mode=0700`, '--tmpfs', `${RUNTIME}:uid=1000,gid=1000,mode=0700`],
    ...['-v', `${sockets}:/tmp/.X11-unix`, '-v', `${dirname(file)}:${dirname(file)}:ro`],
    ...Object.entries(ENVIRONMENT).flatMap(([variable, value]) => ['-e', `${variable}=${value}`]),
    ...['--entrypoint', 'sh', IMAGE, '-c', SCRIPT, `${width}x${height}`],
  ];
  try {
    return await run(args, sockets, name);
  } finally {
    await docker('rm', '-f', name).catch(() => undefined);
    await rm(sockets, { recursive: true, force: true });
  }
}

/** The command of sessions for the first emulator that the image has. */
async function emulatorCommand({ games, file, width, height }: Scene): Promise<string[]> {
  const tests = games.choices.map(({ name, needs }) => `if [ -e ${needs} ]; then echo ${name}; fi`).join('\n');
  const [first] = (await docker('run', '--rm', '--entrypoint', 'sh', IMAGE, '-c', tests)).split('\n');
  const choice = games.choices.find(({ name }) => name === first);
  if (choice === undefined) throw new Error(`the image has no emulator for ${games.kind}`);
  const emulator = choice.emulator({ isFast: false, changed: () => undefined });
  const { file: program, args, env } = await emulator.command({ path: file, width, height }, ENVIRONMENT);
  return ['env', ...Object.entries(env ?? {}).map(variable => variable.join('=')), program, ...args];
}

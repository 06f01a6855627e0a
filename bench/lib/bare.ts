import { spawn } from 'node:child_process';
import { mkdtemp, rm, chmod } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Scene } from './chromium.js';
import { CHROMIUM_CONTAINER, CHROMIUM_IMAGE, docker, nameOf } from './docker.js';
import { XPixels } from './x11.js';

/** Time limit of a start. */
export const LONGEST_MS = 60_000;
const LOOK_EVERY_MS = 2;
/** The command for a shell with nothing but the image. */
const SCRIPT = `
Xvfb :0 -screen 0 "$0"x24 -nolisten tcp -ac &
while ! [ -S /tmp/.X11-unix/X0 ]; do sleep 0.01; done
exec "$@"`;

/** Makes the command of a browser: `plainCommand`, or `chromiumCommand` for that of sessions. */
export type BrowserCommand = (scene: Scene) => string[];

/** Arguments of `docker run` for an X server and the browser, and nothing of Berth. */
export const bareImage = (scene: Scene, browser: BrowserCommand): string[] => [
  '--entrypoint',
  'sh',
  CHROMIUM_IMAGE,
  ...bareArguments(scene, browser),
];

/** Arguments of `sh` for the same. */
export const bareArguments = (scene: Scene, browser: BrowserCommand): string[] => [
  '-c',
  SCRIPT,
  `${scene.width}x${scene.height}`,
  ...browser(scene),
];

/**
 * Runs Chromium's image without Berth: an X server and the browser. Returns the milliseconds from the command to the
 * first picture, which is detected from outside through the X server's socket.
 */
export async function bareStart(scene: Scene, browser: BrowserCommand, colour: readonly number[]): Promise<number> {
  const name = nameOf('bare');
  const sockets = await mkdtemp(join(tmpdir(), 'berth-bench-x-'));
  await chmod(sockets, 0o1777);
  const began = performance.now();
  const command = [
    'run',
    '--rm',
    '--name',
    name,
    ...CHROMIUM_CONTAINER,
    '-v',
    `${sockets}:/tmp/.X11-unix`,
    '-e',
    'DISPLAY=:0',
  ];
  const child = spawn('docker', [...command, ...bareImage(scene, browser)], { stdio: 'ignore' });
  try {
    await painted(join(sockets, 'X0'), colour, began + LONGEST_MS);
    return performance.now() - began;
  } finally {
    await docker('rm', '-f', name).catch(() => undefined);
    child.kill();
    await rm(sockets, { recursive: true, force: true });
  }
}

/** A pixel of a screen. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

const NEAR_CORNER: Point = { x: 100, y: 100 };

/**
 * Resolves when the X server whose socket is at `path` shows a colour at a point. `deadline`: by the clock of
 * `performance`.
 */
export async function painted(
  path: string,
  colour: readonly number[],
  deadline: number,
  at = NEAR_CORNER,
): Promise<void> {
  const pixels = await connected(path, deadline);
  try {
    while (performance.now() < deadline) {
      if (await shows(pixels, colour, at)) return;
      await sleep(LOOK_EVERY_MS);
    }
    throw new Error('nothing was painted');
  } finally {
    pixels.close();
  }
}

/** Whether an X server shows a colour at a point, by default near the corner of its screen. */
export async function shows(pixels: XPixels, colour: readonly number[], { x, y } = NEAR_CORNER): Promise<boolean> {
  const seen = await pixels.at(x, y);
  return seen !== null && seen.every((level, i) => Math.abs(level - (colour[i] ?? 0)) < 8);
}

async function connected(path: string, deadline: number): Promise<XPixels> {
  for (;;) {
    try {
      return await XPixels.connect(path);
    } catch (error) {
      if (performance.now() > deadline) throw error;
      await sleep(LOOK_EVERY_MS);
    }
  }
}

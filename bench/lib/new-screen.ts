import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { LONGEST_MS, shows } from './bare.js';
import { XPixels } from './x11.js';

const LOOK_EVERY_MS = 5;
/** Reading every process's name takes milliseconds. */
const SCAN_EVERY_MS = 100;

/** Process IDs of this machine's X servers, those in containers included. */
async function xServers(): Promise<Set<string>> {
  const processes = (await readdir('/proc')).filter(name => /^\d+$/.test(name));
  // A process may end meanwhile.
  const names = await Promise.all(processes.map(pid => readFile(`/proc/${pid}/comm`, 'utf8').catch(() => '')));
  return new Set(processes.filter((_, i) => names[i] === 'Xvfb\n'));
}

/**
 * Milliseconds until the X server of a session that `start` starts shows a colour, with nobody watching it, and what
 * `start` gave. X servers of others, such as the warm pool's, may start at the same time. Needs root.
 */
export async function paintedBy<T>(start: () => Promise<T>, colour: readonly number[]): Promise<[number, T]> {
  const others = await xServers();
  const began = performance.now();
  const given = await start();
  const screens = new Map<string, XPixels>();
  try {
    for (let scanned = 0; performance.now() < began + LONGEST_MS; await sleep(LOOK_EVERY_MS)) {
      if (screens.size === 0 || performance.now() > scanned + SCAN_EVERY_MS) {
        for (const pid of await xServers()) if (!others.has(pid) && !screens.has(pid)) await connect(pid, screens);
        scanned = performance.now();
      }
      for (const screen of screens.values()) {
        if (await shows(screen, colour)) return [performance.now() - began, given];
      }
    }
    throw new Error('the browser painted nothing');
  } finally {
    for (const screen of screens.values()) screen.close();
  }
}

async function connect(pid: string, screens: Map<string, XPixels>): Promise<void> {
  // Not before the server has its socket.
  const screen = await XPixels.connect(`/proc/${pid}/root/tmp/.X11-unix/X0`).catch(() => null);
  if (screen !== null) screens.set(pid, screen);
}

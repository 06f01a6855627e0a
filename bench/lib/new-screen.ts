import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { LONGEST_MS, painted } from './bare.js';

const LOOK_EVERY_MS = 10;

/** Process IDs of this machine's X servers, those in containers included. */
async function xServers(): Promise<Set<string>> {
  const processes = (await readdir('/proc')).filter(name => /^\d+$/.test(name));
  // A process may end meanwhile.
  const names = await Promise.all(processes.map(pid => readFile(`/proc/${pid}/comm`, 'utf8').catch(() => '')));
  return new Set(processes.filter((_, i) => names[i] === 'Xvfb\n'));
}

/**
 * Milliseconds until the X server of a session that `start` starts shows a colour, with nobody watching it, and what
 * `start` gave. Needs root.
 */
export async function paintedBy<T>(start: () => Promise<T>, colour: readonly number[]): Promise<[number, T]> {
  const others = await xServers();
  const began = performance.now();
  const deadline = began + LONGEST_MS;
  const given = await start();
  for (;;) {
    const [pid] = [...(await xServers())].filter(each => !others.has(each));
    if (pid !== undefined) {
      await painted(`/proc/${pid}/root/tmp/.X11-unix/X0`, colour, deadline);
      return [performance.now() - began, given];
    }
    if (performance.now() > deadline) throw new Error('no X server has started');
    await sleep(LOOK_EVERY_MS);
  }
}

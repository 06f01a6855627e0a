import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import type { Readable } from 'node:stream';
import type { Log } from '../log.js';
import { DISPLAY } from '../process/environment.js';
import { Program } from '../process/program.js';

const NUMBER = DISPLAY.slice(1);

/** File descriptor on which Xvfb says that it takes connections. */
const READY_FD = 3;

/** Milliseconds after which an X server that is not ready is started again. */
const READY_TIMEOUT = 10_000;

/** The virtual X server. All else that shows something stands on it. */
export function xServer(log: Log, env: Record<string, string>, hooks: { lost: () => void; failed: (why: string) => void }) {
  return new Program({
    name: 'Xvfb',
    log,
    policy: { first: 20, longest: 1000, window: 60_000, tolerated: 10 },
    command: () => {
      // Left by one that was killed. Synchronous: everything waits for the first start.
      for (const path of [`/tmp/.X${NUMBER}-lock`, `/tmp/.X11-unix/X${NUMBER}`]) rmSync(path, { force: true });
      return { file: 'Xvfb', args: ARGUMENTS, env: { ...env, ...HUGE_PAGES }, stdio: ['ignore', 'ignore', 'pipe', 'pipe'] };
    },
    started: ready,
    died: hooks.lost,
    gaveUp: hooks.failed,
  });
}

/** The frame buffer is 64 MiB: in small pages its first clearing takes half of the server's start. */
const HUGE_PAGES = { GLIBC_TUNABLES: 'glibc.malloc.hugetlb=1' };

const ARGUMENTS = [
  DISPLAY,
  '-screen', '0', '4096x4096x24',
  '-nolisten', 'tcp',
  '-noreset',
  '-ac',
  '-dpi', '96',
  '-displayfd', String(READY_FD),
  '+extension', 'RANDR',
  '+extension', 'DAMAGE',
];

/** Resolves when the number of the display has been written, with its line's end: before that Xvfb still writes. */
async function ready(child: ChildProcess): Promise<void> {
  const pipe = child.stdio[READY_FD] as Readable;
  const ended = new AbortController();
  child.once('exit', () => ended.abort());
  const signal = AbortSignal.any([AbortSignal.timeout(READY_TIMEOUT), ended.signal]);
  let text = '';
  while (!text.includes('\n')) text += String((await once(pipe, 'data', { signal }))[0]);
  pipe.destroy();
}

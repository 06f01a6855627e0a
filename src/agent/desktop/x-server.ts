import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { Socket } from 'node:net';
import type { Readable } from 'node:stream';
import type { Log } from '../log.js';
import { DISPLAY } from '../process/environment.js';
import { Program } from '../process/program.js';
import { adopt } from '../process/running.js';

const NUMBER = DISPLAY.slice(1);

/** Descriptor on which Xvfb says that it takes connections. */
const READY_FD = 3;

/** Milliseconds after which an X server that is not ready is started again. */
const READY_TIMEOUT = 10_000;

export interface XServerOptions {
  readonly log: Log;
  readonly env: Record<string, string>;
  /** Process ID of the X server that the container's start script has begun to start. */
  readonly running: number | undefined;
  readonly lost: () => void;
  readonly failed: (reason: string) => void;
}

/** The virtual X server. All else that shows something stands on it. */
export function xServer({ log, env, running, lost, failed }: XServerOptions): Program {
  return new Program({
    name: 'Xvfb',
    log,
    policy: { first: 20, longest: 1000, window: 60_000, tolerated: 10 },
    first: running === undefined ? undefined : startedBefore(running),
    command: () => {
      // Left by one that was killed.
      for (const path of [`/tmp/.X${NUMBER}-lock`, `/tmp/.X11-unix/X${NUMBER}`]) rmSync(path, { force: true });
      const args = ['/etc/berth/x-server', '-displayfd', String(READY_FD)];
      return { file: 'sh', args, env, stdio: ['ignore', 'ignore', 'pipe', 'pipe'] };
    },
    started: child => {
      const pipe = child.stdio[READY_FD] as Readable;
      return ready(pipe, child).finally(() => pipe.destroy());
    },
    died: lost,
    gaveUp: failed,
  });
}

/** The X server of the start script, on the other end of the pipe that it has left on READY_FD. */
function startedBefore(pid: number) {
  const pipe = new Socket({ fd: READY_FD, readable: true, writable: false });
  const ended = new Promise<void>(resolve => pipe.once('close', () => resolve()));
  const up = ready(pipe, pipe).then(() => void pipe.resume());
  return { running: adopt(pid, ended), up };
}

/**
 * Resolves when the number of the display has been written, with its line's end: before that Xvfb still
 * writes. Rejects when `life` ends first.
 */
async function ready(pipe: Readable, life: ChildProcess | Socket): Promise<void> {
  const over = new AbortController();
  life.once('exit', () => over.abort());
  life.once('close', () => over.abort());
  const timer = setTimeout(() => over.abort(), READY_TIMEOUT);
  try {
    let text = '';
    while (!text.includes('\n')) text += String((await once(pipe, 'data', { signal: over.signal }))[0]);
  } finally {
    clearTimeout(timer);
  }
}

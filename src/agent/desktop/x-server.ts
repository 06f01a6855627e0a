import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { Socket } from 'node:net';
import type { Readable } from 'node:stream';
import type { Handover } from '../handover/handover.js';
import type { Log } from '../lib/log.js';
import { DISPLAY } from '../process/environment.js';
import { Program } from '../process/program.js';
import { answers } from './x-connection.js';

const NUMBER = DISPLAY.slice(1);
const SOCKET = `/tmp/.X11-unix/X${NUMBER}`;

/** Descriptor on which Xvfb reports that it accepts connections. */
const READY_FD = 3;

/** Milliseconds after which an X server that is not ready is restarted. */
const READY_TIMEOUT = 10_000;

/** Milliseconds between looks at whether it still runs: the display helper ends with it, and then waits for it. */
const LOOK_EVERY = 5000;

export interface XServerOptions {
  readonly log: Log;
  readonly env: Record<string, string>;
  readonly handover: Handover;
  /**
   * Descriptor on which the X server of the container's start script reports that it is ready; undefined if it already
   * has.
   */
  readonly readyFd: number | undefined;
  /** The X server died, and with it everything on it. */
  readonly lost: () => void;
  readonly failed: (reason: string) => void;
}

/**
 * The virtual X server, on which everything visible depends. The container's start script already starts the first one.
 */
export function xServer({ log, env, handover, readyFd, lost, failed }: XServerOptions): Program {
  return new Program({
    name: 'Xvfb',
    log,
    policy: { first: 20, longest: 1000, window: 60_000, tolerated: 10 },
    handover,
    lookEvery: LOOK_EVERY,
    adopted: () => (readyFd === undefined ? answers(SOCKET, READY_TIMEOUT) : startedBefore(readyFd)),
    command: () => {
      // Left by a killed X server.
      for (const path of [`/tmp/.X${NUMBER}-lock`, SOCKET]) rmSync(path, { force: true });
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

/** Resolves when the X server of the start script is ready. */
function startedBefore(fd: number): Promise<void> {
  const pipe = new Socket({ fd, readable: true, writable: false });
  return ready(pipe, pipe).finally(() => pipe.destroy());
}

/**
 * Resolves when the display number has been written, including the line break, before which Xvfb is still writing.
 * Rejects when `starting` ends first.
 */
async function ready(pipe: Readable, starting: ChildProcess | Socket): Promise<void> {
  const over = new AbortController();
  starting.once('exit', () => over.abort());
  starting.once('close', () => over.abort());
  const timer = setTimeout(() => over.abort(), READY_TIMEOUT);
  try {
    let text = '';
    while (!text.includes('\n')) text += String((await once(pipe, 'data', { signal: over.signal }))[0]);
  } finally {
    clearTimeout(timer);
  }
}

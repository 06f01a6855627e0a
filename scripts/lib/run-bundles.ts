import { spawn } from 'node:child_process';
import { pathToFileURL } from 'node:url';
import type { Order } from '../test-worker.js';
import { bundleOf, bundleTests, workerOf } from './bundle-tests.js';
import { killGroup, stopGroup } from './steps.js';
import type { Slots } from './slots.js';
import { countTap, type FileResult } from './test-counts.js';

/**
 * Milliseconds that a test file may block its process beyond its own time limit, and that a process may take to exit
 * after its last one.
 */
const GRACE_MS = 30_000;

export interface BundledRun {
  /** In the order in which they begin. */
  files: readonly string[];
  /** Number of concurrent processes. */
  jobs: number;
  /** Whether each file gets its own process. */
  apart: boolean;
  /** Whether they need access to the container engine. */
  containers: boolean;
  /** Time limit of one file, seconds. */
  timeout: number;
  /** Places that it shares with others, and whether it comes before them. */
  slots?: Slots | undefined;
  first?: boolean | undefined;
  /** When the run's budget is spent, by `performance.now()`: files that have not begun then are skipped. */
  until?: number;
  env: NodeJS.ProcessEnv;
  /** Folder of the bundles, if not the default. */
  folder?: string;
  graceMs?: number;
}

/**
 * Runs test files from bundles. Files share processes unless they must run alone: starting Node.js and loading tap and
 * the service takes longer than most files. A process that exits early fails the file that it was running; the others
 * continue in another process.
 */
export async function runBundles(
  run: BundledRun,
  onFile: (result: FileResult) => void,
  signal: AbortSignal,
): Promise<void> {
  await bundleTests(run.files, run.folder);
  const files = [...run.files];
  const goesOn = () => files.length > 0 && !signal.aborted && performance.now() <= (run.until ?? Infinity);
  const lane = async () => {
    while (goesOn()) {
      const giveBack = await run.slots?.take(run.first);
      try {
        // It may have waited for its place.
        if (goesOn()) await runProcess(run, files, onFile, signal);
      } finally {
        giveBack?.();
      }
    }
  };
  await Promise.all(Array.from({ length: run.jobs }, lane));
  if (!signal.aborted) for (const file of files) onFile(notRun(file));
}

/** Runs files in one process, which takes them from `files` until none are left or it fails. */
function runProcess(
  { apart, containers, timeout, env, folder, graceMs = GRACE_MS }: BundledRun,
  files: string[],
  onFile: (result: FileResult) => void,
  signal: AbortSignal,
): Promise<void> {
  const worker = [process.execPath, '--enable-source-maps', workerOf(folder)];
  const [command = '', ...args] = containers ? ['scripts/with-engine.sh', '--as-is', ...worker] : worker;
  const child = spawn(command, args, {
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    env,
    detached: true,
  });
  /** Files that it has started, and those of them that have ended. */
  const begun: string[] = [];
  const ended = new Set<string>();
  let hangs: NodeJS.Timeout | undefined;
  let why = '';
  const limit = (ms: number, reason: string) => {
    clearTimeout(hangs);
    hangs = setTimeout(() => {
      why = reason;
      killGroup(child.pid, 'SIGKILL');
    }, ms);
  };
  // If the process has just exited and does not get the message, its file fails when it closes.
  const tell = (order: Order | 'end') => child.send(order, () => undefined);
  const next = () => {
    const file = apart && begun.length > 0 ? undefined : files.shift();
    if (file === undefined || signal.aborted) {
      limit(graceMs, `something was left running by one of: ${begun.join(', ')}`);
      tell('end');
      return;
    }
    begun.push(file);
    limit(timeout * 1000 + graceMs, 'it blocked its process');
    const url = pathToFileURL(bundleOf(file, folder)).href;
    tell({ name: file, url, timeoutMs: timeout * 1000, isShared: !apart });
  };
  // tap sends messages too.
  child.on('message', message => {
    if (message === 'next') next();
  });
  const parser = countTap(result => {
    ended.add(result.name);
    onFile(result);
  });
  child.stdout?.pipe(parser);
  const stop = () => stopGroup(child);
  signal.addEventListener('abort', stop);
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, killedBy) => {
      clearTimeout(hangs);
      signal.removeEventListener('abort', stop);
      const unended = begun.find(file => !ended.has(file));
      if (unended !== undefined || why !== '') {
        const reason = why === '' ? `its process ended with ${killedBy ?? `code ${code}`}` : why;
        onFile(failed(unended ?? 'test processes', reason));
      }
      resolve();
    });
  });
}

const notRun = (name: string): FileResult => ({
  name,
  counts: { passed: 0, failed: 0, skipped: 1 },
  failures: [],
  time: null,
});

const failed = (name: string, reason: string): FileResult => ({
  name,
  counts: { passed: 0, failed: 1, skipped: 0 },
  failures: [{ name: reason, fullname: `${name} > ${reason}`, diag: null }],
  time: null,
});

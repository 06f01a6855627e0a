import { spawn } from 'node:child_process';
import { pathToFileURL } from 'node:url';
import type { Order } from '../test-worker.js';
import { bundleOf, bundleTests, workerOf } from './bundle-tests.js';
import { killGroup, stopGroup } from './steps.js';
import { countTap, type FileResult } from './test-counts.js';

/** How much longer than its own time limit a test file may block its process, and a process stay after its last one. */
const GRACE_MS = 30_000;

export interface BundledRun {
  files: readonly string[];
  /** Processes at the same time. */
  jobs: number;
  /** Whether each file has a process of its own. */
  apart: boolean;
  /** Seconds that one file may take. */
  timeout: number;
  env: NodeJS.ProcessEnv;
  /** Where the bundles are laid, if not in the usual place. */
  folder?: string;
  graceMs?: number;
}

/**
 * Runs test files that need no container from bundles. Files share processes unless they are to run apart: starting
 * Node.js and loading tap and the service takes longer than most files. A process that ends before its time fails the
 * file that it ran; the others go on in another.
 */
export async function runBundles(
  run: BundledRun,
  onFile: (result: FileResult) => void,
  signal: AbortSignal,
): Promise<void> {
  await bundleTests(run.files, run.folder);
  // The slow ones are last in the alphabet; they had better not be begun last.
  const files = [...run.files].reverse();
  const lane = async () => {
    while (files.length > 0 && !signal.aborted) await runProcess(run, files, onFile, signal);
  };
  await Promise.all(Array.from({ length: run.jobs }, lane));
}

/** Runs files in one process, which takes them from `files`, until there are none or it fails. */
function runProcess(
  { apart, timeout, env, folder, graceMs = GRACE_MS }: BundledRun,
  files: string[],
  onFile: (result: FileResult) => void,
  signal: AbortSignal,
): Promise<void> {
  const child = spawn(process.execPath, ['--enable-source-maps', workerOf(folder)], {
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    env,
    detached: true,
  });
  /** Files that it ran or runs, and those of them that have ended. */
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
  // What a process that has just ended is not told fails its file when it closes.
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
    tell({ name: file, url: pathToFileURL(bundleOf(file, folder)).href, timeoutMs: timeout * 1000 });
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

const failed = (name: string, reason: string): FileResult => ({
  name,
  counts: { passed: 0, failed: 1, skipped: 0 },
  failures: [{ name: reason, fullname: `${name} > ${reason}`, diag: null }],
  time: null,
});

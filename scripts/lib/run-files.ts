import { spawn } from 'node:child_process';
import { bundleOf, bundleTests } from './bundle-tests.js';
import { stopGroup } from './steps.js';
import { type FileResult, noTests, readTap } from './test-results.js';

/**
 * Milliseconds that a test file may run beyond its own time limit. tap ends tests that exceed it, so only a process that
 * is blocked, or is kept alive by something after its last test, takes longer.
 */
const GRACE_MS = 30_000;

export interface FilesRun {
  /** In the order in which they begin. */
  files: readonly string[];
  /** Number of concurrent processes. */
  jobs: number;
  /** Time limit of one file, seconds. */
  timeout: number;
  /** Whether they need access to the container engine. */
  containers: boolean;
  env: NodeJS.ProcessEnv;
  /** Folder of the bundles. */
  folder: string;
  graceMs?: number;
}

/**
 * Runs test files from bundles, each in a process of its own. `onFile` is given the result of each as it ends; a file
 * that has not ended when `signal` aborts fails, also one that has not begun.
 */
export async function runFiles(
  run: FilesRun,
  onFile: (result: FileResult) => void,
  signal: AbortSignal,
): Promise<void> {
  await bundleTests(run.files, run.folder);
  const files = [...run.files];
  const lane = async () => {
    for (let file = files.shift(); file !== undefined; file = files.shift()) {
      onFile(signal.aborted ? notRun(file, `not run: ${signal.reason}`) : await runFile(file, run, signal));
    }
  };
  await Promise.all(Array.from({ length: run.jobs }, lane));
}

async function runFile(
  file: string,
  { timeout, containers, env, folder, graceMs = GRACE_MS }: FilesRun,
  signal: AbortSignal,
): Promise<FileResult> {
  const program = [process.execPath, '--enable-source-maps', bundleOf(file, folder)];
  const [command = '', ...args] = containers ? ['scripts/with-engine.sh', '--as-is', ...program] : program;
  const begun = performance.now();
  const child = spawn(command, args, {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...env, TAP: '1', TAP_TIMEOUT: String(timeout) },
    detached: true,
  });
  let why = '';
  const stop = (reason: string) => {
    why = reason;
    stopGroup(child);
  };
  const onAbort = () => stop(String(signal.reason));
  const hangs = setTimeout(() => stop('it blocked its process, or left something running'), timeout * 1000 + graceMs);
  signal.addEventListener('abort', onAbort);
  const closed = new Promise<string>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, killedBy) =>
      resolve(code === 0 ? '' : `its process ended with ${killedBy ?? `code ${code}`}`),
    );
  });
  try {
    const { isWhole, ...told } = await readTap(child.stdout);
    const end = await closed;
    const result = { name: file, ...told, time: performance.now() - begun };
    if (why === '' && told.counts.failed > 0) return result;
    const reason = why || end || (isWhole ? '' : 'its output is incomplete');
    return reason === '' ? result : withFailure(result, reason);
  } finally {
    clearTimeout(hangs);
    signal.removeEventListener('abort', onAbort);
  }
}

const notRun = (name: string, reason: string): FileResult =>
  withFailure({ name, counts: noTests(), failures: [], comments: [], time: null }, reason);

function withFailure(result: FileResult, reason: string): FileResult {
  return {
    ...result,
    counts: { ...result.counts, failed: result.counts.failed + 1 },
    failures: [...result.failures, { name: reason, fullname: reason, diag: null }],
  };
}

import { spawn } from 'node:child_process';
import type { Result } from 'tap-parser';
import { bundleTests } from './bundle-tests.js';
import { add, countTap, emptyTally, type FileResult, type Tally } from './tally.js';

/** What ended tests have to clean up, in milliseconds. */
const GRACE_MS = 10_000;

export interface TapRun {
  files: string[];
  /** Test files that run at the same time. */
  jobs: number;
  /** Seconds that one file may take. */
  timeout: number;
  /** Whether the tests need a container engine. */
  containers: boolean;
  env: NodeJS.ProcessEnv;
}

/** The command that runs test files: those that need no container from bundles, which start faster. */
async function commandOf({ files, jobs, timeout, containers }: TapRun): Promise<[string, ...string[]]> {
  if (containers) {
    const tap = ['node_modules/.bin/tap', 'run', '--reporter=tap', `--jobs=${jobs}`, `--timeout=${timeout}`];
    return ['scripts/with-engine.sh', '--as-is', ...tap, ...files];
  }
  await bundleTests(files);
  return ['node_modules/.bin/tsx', 'scripts/run-bundles.ts', `${jobs}`, `${timeout}`, ...files];
}

/**
 * Runs test files with tap, prints a line for each as it ends and the failures in full, and resolves with the
 * count. A runner that fails although no test did counts as one failure.
 */
export async function runTap(run: TapRun, signal: AbortSignal): Promise<Tally> {
  let tally = emptyTally();
  const parser = countTap(file => {
    tally = add(tally, file.tally);
    report(file);
  });
  const [command, ...args] = await commandOf(run);
  const child = spawn(command, args, {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: run.env,
    detached: true,
  });
  // The whole group, so that what the tests started goes too; what does not go is killed.
  let insist: NodeJS.Timeout | undefined;
  const stop = () => {
    killGroup(child.pid, 'SIGTERM');
    insist = setTimeout(() => killGroup(child.pid, 'SIGKILL'), GRACE_MS);
  };
  signal.addEventListener('abort', stop);
  child.stdout.pipe(parser);
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  signal.removeEventListener('abort', stop);
  clearTimeout(insist);
  if (code !== 0 && tally.failed === 0) {
    console.log(`not ok  the test runner ended with code ${code} although no test failed`);
    tally.failed++;
  }
  return tally;
}

function killGroup(pid: number | undefined, signal: NodeJS.Signals): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, signal);
  } catch {
    // It has ended already.
  }
}

function report({ name, tally, failures, time }: FileResult): void {
  const seconds = time === null ? '' : ` (${(time / 1000).toFixed(1)} s)`;
  const failed = tally.failed > 0 ? `, ${tally.failed} failed` : '';
  const skipped = tally.skipped > 0 ? `, ${tally.skipped} skipped` : '';
  console.log(
    `${tally.failed > 0 ? 'not ok' : 'ok    '}  ${name}: ${tally.passed} passed${failed}${skipped}${seconds}`,
  );
  for (const failure of failures) console.log(describe(failure));
}

function describe(failure: Result): string {
  const lines = [`  ✖ ${failure.fullname || failure.name}`];
  if (failure.diag) lines.push(...JSON.stringify(failure.diag, null, 2).split('\n').slice(1, -1));
  return lines.map(line => `  ${line}`).join('\n');
}

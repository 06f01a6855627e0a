import { spawn } from 'node:child_process';
import { runBundles } from './run-bundles.js';
import { stopGroup } from './steps.js';
import { add, countTap, noTests, type Failure, type FileResult, type TestCounts } from './test-counts.js';
import type { Phase } from './test-files.js';

/**
 * Runs the test files of a phase, prints a line for each as it ends and the failures in full, and resolves with the
 * count. A runner that fails although no test did counts as one failure.
 */
export async function runPhase(phase: Phase, env: NodeJS.ProcessEnv, signal: AbortSignal): Promise<TestCounts> {
  let counts = noTests();
  const onFile = (file: FileResult) => {
    counts = add(counts, file.counts);
    report(file);
  };
  if (!phase.containers) {
    await runBundles({ ...phase, env }, onFile, signal);
    return counts;
  }
  const code = await runTap(phase, env, onFile, signal);
  if (code !== 0 && counts.failed === 0) {
    console.log(`not ok  the test runner ended with code ${code} although no test failed`);
    counts.failed++;
  }
  return counts;
}

/** Runs test files with tap, each in its own process; resolves with tap's exit code. */
function runTap(
  { files, jobs, timeout }: Phase,
  env: NodeJS.ProcessEnv,
  onFile: (file: FileResult) => void,
  signal: AbortSignal,
): Promise<number | null> {
  const tap = ['node_modules/.bin/tap', 'run', '--reporter=tap', `--jobs=${jobs}`, `--timeout=${timeout}`];
  const child = spawn('scripts/with-engine.sh', ['--as-is', ...tap, ...files], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env,
    detached: true,
  });
  const stop = () => stopGroup(child);
  signal.addEventListener('abort', stop);
  child.stdout.pipe(countTap(onFile));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', code => {
      signal.removeEventListener('abort', stop);
      resolve(code);
    });
  });
}

function report({ name, counts, failures, time }: FileResult): void {
  const seconds = time === null ? '' : ` (${(time / 1000).toFixed(1)} s)`;
  const failed = counts.failed > 0 ? `, ${counts.failed} failed` : '';
  const skipped = counts.skipped > 0 ? `, ${counts.skipped} skipped` : '';
  console.log(
    `${counts.failed > 0 ? 'not ok' : 'ok    '}  ${name}: ${counts.passed} passed${failed}${skipped}${seconds}`,
  );
  for (const failure of failures) console.log(describe(failure));
}

function describe(failure: Failure): string {
  const lines = [`  ✖ ${failure.fullname || failure.name}`];
  if (failure.diag) lines.push(...JSON.stringify(failure.diag, null, 2).split('\n').slice(1, -1));
  return lines.map(line => `  ${line}`).join('\n');
}

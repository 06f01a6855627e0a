import { type BundledRun, runBundles } from './run-bundles.js';
import { add, noTests, type Failure, type FileResult, type TestCounts } from './test-counts.js';
import type { Phase } from './test-files.js';

/** What a phase resulted in. */
interface PhaseResult {
  counts: TestCounts;
  /** The failed tests, each by its full name, which begins with its file. */
  failed: string[];
}

/**
 * Runs the test files of a phase, prints a line for each as it ends and the failures in full, and resolves with the
 * counts. Files that the run's budget does not allow any more are said to be skipped, and counted as such.
 */
export async function runPhase(
  phase: Phase,
  run: Pick<BundledRun, 'env' | 'slots' | 'until'>,
  signal: AbortSignal,
): Promise<PhaseResult> {
  const result: PhaseResult = { counts: noTests(), failed: [] };
  const onFile = (file: FileResult) => {
    result.counts = add(result.counts, file.counts);
    result.failed.push(...file.failures.map(nameOf));
    report(file);
  };
  const folder = `.tap/bundles/${phase.name.replaceAll(/\W+/g, '-')}`;
  await runBundles({ ...phase, ...run, folder, first: phase.cluster }, onFile, signal);
  return result;
}

function report({ name, counts, failures, time }: FileResult): void {
  if (counts.passed + counts.failed === 0 && time === null) {
    console.log(`skip    ${name}: not begun, for the run had taken as long as it may`);
    return;
  }
  const seconds = time === null ? '' : ` (${(time / 1000).toFixed(1)} s)`;
  const failed = counts.failed > 0 ? `, ${counts.failed} failed` : '';
  const skipped = counts.skipped > 0 ? `, ${counts.skipped} skipped` : '';
  console.log(
    `${counts.failed > 0 ? 'not ok' : 'ok    '}  ${name}: ${counts.passed} passed${failed}${skipped}${seconds}`,
  );
  for (const failure of failures) console.log(describe(failure));
}

function describe(failure: Failure): string {
  const lines = [`  ✖ ${nameOf(failure)}`];
  if (failure.diag) lines.push(...JSON.stringify(failure.diag, null, 2).split('\n').slice(1, -1));
  return lines.map(line => `  ${line}`).join('\n');
}

const nameOf = ({ fullname, name }: Failure): string => fullname || name;

import { type BundledRun, runBundles } from './run-bundles.js';
import { add, noTests, type Failure, type FileResult, type TestCounts } from './test-counts.js';
import type { Phase } from './test-files.js';

/** How many failed files of a phase are run again: a slow machine may fail a few of them, but not more. */
const MOST_AGAIN = 2;

/** What a phase resulted in; tests are named in full, beginning with their file. */
interface PhaseResult {
  counts: TestCounts;
  failed: string[];
  /** Tests that failed, and passed when their files were run again. */
  unsteady: string[];
}

/**
 * Runs the test files of a phase, prints a line for each as it ends and the failures in full, and resolves with the
 * counts. Files that the run's budget does not allow any more are said to be skipped, and counted as such. If few files
 * fail, they are run again, one after the other, and count as passed if they pass.
 */
export async function runPhase(
  phase: Phase,
  run: Pick<BundledRun, 'env' | 'slots' | 'until'>,
  signal: AbortSignal,
): Promise<PhaseResult> {
  const runFiles = async (some: Partial<BundledRun> = {}) => {
    const results: FileResult[] = [];
    const folder = `.tap/bundles/${phase.name.replaceAll(/\W+/g, '-')}`;
    const onFile = (file: FileResult) => {
      results.push(file);
      report(file);
    };
    await runBundles({ ...phase, ...run, folder, first: phase.cluster, ...some }, onFile, signal);
    return results;
  };
  const first = await runFiles();
  const files = first.filter(({ counts }) => counts.failed > 0).map(({ name }) => name);
  const isRepeated = files.length <= MOST_AGAIN && files.every(file => phase.files.includes(file));
  if (files.length === 0 || !isRepeated || signal.aborted) return resultOf(first);
  console.log(`        once more: ${files.join(', ')}`);
  return resultOf(first, await runFiles({ files, jobs: 1, until: Infinity }));
}

/** What a phase resulted in if some of its files were run again. */
function resultOf(first: readonly FileResult[], again: readonly FileResult[] = []): PhaseResult {
  const passed = again.filter(({ counts }) => counts.passed > 0 && counts.failed === 0).map(({ name }) => name);
  const names = (some: readonly FileResult[]) => some.flatMap(({ failures }) => failures.map(nameOf));
  const standing = [
    ...first.filter(({ name }) => !passed.includes(name)),
    // Those of no file tell how one left its process.
    ...again.filter(({ name }) => passed.includes(name) || !first.some(other => other.name === name)),
  ];
  return {
    counts: standing.map(({ counts }) => counts).reduce(add, noTests()),
    failed: names(standing),
    unsteady: names(first.filter(({ name }) => passed.includes(name))),
  };
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

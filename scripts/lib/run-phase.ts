import type { Phase } from './phases.js';
import { runFiles } from './run-files.js';
import { add, noTests, type Failure, type FileResult, type TestCounts } from './test-results.js';

/** How many failed files of a phase are run again: a slow machine may fail a few of them, but not more. */
const MOST_AGAIN = 2;

/** What a phase resulted in; tests are named in full, beginning with their file. */
export interface PhaseResult {
  counts: TestCounts;
  failed: string[];
  /** Tests that failed, and whose files passed when they were run again, with why. */
  unsteady: string[];
}

/**
 * Runs the test files of a phase, prints a line for each as it ends, what it tells and its failures in full. If few of
 * the files on containers fail, they are run again, one after the other, and count as passed if they pass; but none that
 * draws at random what it tries, since another try is another test.
 */
export async function runPhase(phase: Phase, env: NodeJS.ProcessEnv, signal: AbortSignal): Promise<PhaseResult> {
  const runSome = async (files: readonly string[], jobs: number) => {
    const results: FileResult[] = [];
    const folder = `.tap/bundles/${phase.name.replaceAll(/\W+/g, '-')}`;
    const onFile = (file: FileResult) => {
      results.push(file);
      report(file);
    };
    await runFiles({ ...phase, env, folder, files, jobs }, onFile, signal);
    return results;
  };
  const first = await runSome(phase.files, phase.jobs);
  const failed = first.filter(({ counts }) => counts.failed > 0).map(({ name }) => name);
  const isRepeated =
    phase.containers && failed.length <= MOST_AGAIN && !failed.some(file => phase.random.has(file)) && !signal.aborted;
  if (failed.length === 0 || !isRepeated) return resultOf(first);
  console.log(`        once more: ${failed.join(', ')}`);
  return resultOf(first, await runSome(failed, 1));
}

/** What a phase resulted in if some of its files were run again. */
function resultOf(first: readonly FileResult[], again: readonly FileResult[] = []): PhaseResult {
  const passed = new Map(
    again.filter(({ counts }) => counts.passed > 0 && counts.failed === 0).map(result => [result.name, result]),
  );
  const standing = first.map(result => passed.get(result.name) ?? result);
  return {
    counts: standing.map(({ counts }) => counts).reduce(add, noTests()),
    failed: standing.flatMap(({ name, failures }) => failures.map(failure => nameOf(name, failure))),
    unsteady: first
      .filter(({ name }) => passed.has(name))
      .flatMap(({ name, failures }) => failures.map(failure => describe(name, failure))),
  };
}

function report({ name, counts, failures, comments, time }: FileResult): void {
  const seconds = time === null ? '' : ` (${(time / 1000).toFixed(1)} s)`;
  const failed = counts.failed > 0 ? `, ${counts.failed} failed` : '';
  const skipped = counts.skipped > 0 ? `, ${counts.skipped} skipped` : '';
  console.log(
    `${counts.failed > 0 ? 'not ok' : 'ok    '}  ${name}: ${counts.passed} passed${failed}${skipped}${seconds}`,
  );
  for (const comment of comments) console.log(`          # ${comment}`);
  for (const failure of failures) console.log(`  ✖ ${describe(name, failure)}`);
}

/** A failure's name, and below it what is known of it. */
function describe(file: string, failure: Failure): string {
  const diag = failure.diag ? JSON.stringify(failure.diag, null, 2).split('\n').slice(1, -1) : [];
  return [nameOf(file, failure), ...diag.map(line => `  ${line}`)].join('\n');
}

const nameOf = (file: string, { fullname, name }: Failure): string => `${file} > ${fullname || name}`;

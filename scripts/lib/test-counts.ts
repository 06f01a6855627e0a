/** Parses a stream of TAP output and counts its assertions. */
import { Parser, type Result } from 'tap-parser';

export interface TestCounts {
  passed: number;
  failed: number;
  skipped: number;
}

/** A failed assertion. */
export type Failure = Pick<Result, 'name' | 'fullname' | 'diag'>;

/** One test file's outcome, reported when it has ended. */
export interface FileResult {
  name: string;
  counts: TestCounts;
  failures: Failure[];
  /** Milliseconds, if the runner reported them. */
  time: number | null;
}

export const noTests = (): TestCounts => ({ passed: 0, failed: 0, skipped: 0 });

/** The sum of two counts. */
export const add = (a: TestCounts, b: TestCounts): TestCounts => ({
  passed: a.passed + b.passed,
  failed: a.failed + b.failed,
  skipped: a.skipped + b.skipped,
});

/**
 * Counts leaf assertions, not those that summarize a subtest. A file reported as "not ok" although no assertion in it
 * failed (it crashed or timed out) counts as one failure.
 */
export function countTap(onFile: (result: FileResult) => void): Parser {
  const root = new Parser();
  let current: { counts: TestCounts; failures: Failure[] } = { counts: noTests(), failures: [] };
  const watch = (parser: Parser) => {
    parser.on('child', watch);
    parser.on('assert', (result: Result) => {
      if (!result.closingTestPoint) record(current, result);
      if (parser !== root) return;
      if (!result.ok && !result.skip && !result.todo && current.counts.failed === 0) record(current, result);
      onFile({ name: result.name, ...current, time: result.time });
      current = { counts: noTests(), failures: [] };
    });
  };
  watch(root);
  return root;
}

function record(into: { counts: TestCounts; failures: Failure[] }, result: Result): void {
  if (result.skip || result.todo) into.counts.skipped++;
  else if (result.ok) into.counts.passed++;
  else {
    into.counts.failed++;
    into.failures.push(result);
  }
}

/** The line that ends a test run: `N passed, N failed`, with `, N skipped` if any. */
export function summary(counts: TestCounts): string {
  const skipped = counts.skipped > 0 ? `, ${counts.skipped} skipped` : '';
  return `${counts.passed} passed, ${counts.failed} failed${skipped}`;
}

/** Reads the TAP output of a test file: counts its assertions, and keeps its failures and comments. */
import { type FinalResults, Parser, type Result } from 'tap-parser';

export interface TestCounts {
  passed: number;
  failed: number;
  skipped: number;
}

/** A failed assertion. */
export type Failure = Pick<Result, 'name' | 'fullname' | 'diag'>;

/** The result of a test file. */
export interface FileResult {
  name: string;
  counts: TestCounts;
  failures: Failure[];
  /** Comments of its tests (`t.comment`): measurements, seeds. */
  comments: string[];
  /** How long it took, milliseconds; null: it did not begin. */
  time: number | null;
}

export const noTests = (): TestCounts => ({ passed: 0, failed: 0, skipped: 0 });

/** The sum of two counts. */
export const add = (a: TestCounts, b: TestCounts): TestCounts => ({
  passed: a.passed + b.passed,
  failed: a.failed + b.failed,
  skipped: a.skipped + b.skipped,
});

/** Comments of tap itself: names of subtests, durations, totals. */
const OF_TAP = /^# (Subtest|time=|timeout=|\{)/;

/** The results in a process's output, and whether that is complete. */
export type Output = Pick<FileResult, 'counts' | 'failures' | 'comments'> & { isWhole: boolean };

/**
 * Parses the output of one test file's process and resolves when it ends. Leaf assertions are counted, not those that
 * summarize a subtest.
 */
export function readTap(output: NodeJS.ReadableStream): Promise<Output> {
  const told: Output = { counts: noTests(), failures: [], comments: [], isWhole: true };
  const watch = (parser: Parser) => {
    parser.on('child', watch);
    parser.on('comment', (line: string) => {
      if (!OF_TAP.test(line)) told.comments.push(line.replace(/^#\s*/, '').trimEnd());
    });
    parser.on('assert', (assertion: Result) => {
      if (!assertion.closingTestPoint) record(told, assertion);
    });
  };
  const root = new Parser();
  watch(root);
  output.pipe(root);
  return new Promise(resolve => root.once('complete', ({ ok }: FinalResults) => resolve({ ...told, isWhole: ok })));
}

function record(into: Output, result: Result): void {
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

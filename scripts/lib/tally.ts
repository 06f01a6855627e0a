/** Parses a stream of TAP output and counts its assertions. */
import { Parser, type Result } from 'tap-parser';

export interface Tally {
  passed: number;
  failed: number;
  skipped: number;
}

/** A failed assertion. */
export type Failure = Pick<Result, 'name' | 'fullname' | 'diag'>;

/** One test file's outcome, told when the file has ended. */
export interface FileResult {
  name: string;
  tally: Tally;
  failures: Failure[];
  /** Milliseconds, where the runner told. */
  time: number | null;
}

export const emptyTally = (): Tally => ({ passed: 0, failed: 0, skipped: 0 });

/** The sum of two tallies. */
export const add = (a: Tally, b: Tally): Tally => ({
  passed: a.passed + b.passed,
  failed: a.failed + b.failed,
  skipped: a.skipped + b.skipped,
});

/**
 * Counts leaf assertions: those that do not just sum up a subtest. A file whose own line says "not ok" although
 * no assertion in it failed (it crashed or timed out) counts as one failure.
 */
export function countTap(onFile: (result: FileResult) => void): Parser {
  const root = new Parser();
  let current: { tally: Tally; failures: Failure[] } = { tally: emptyTally(), failures: [] };
  const watch = (parser: Parser) => {
    parser.on('child', watch);
    parser.on('assert', (result: Result) => {
      if (!result.closingTestPoint) record(current, result);
      if (parser !== root) return;
      if (!result.ok && !result.skip && !result.todo && current.tally.failed === 0) record(current, result);
      onFile({ name: result.name, ...current, time: result.time });
      current = { tally: emptyTally(), failures: [] };
    });
  };
  watch(root);
  return root;
}

function record(into: { tally: Tally; failures: Failure[] }, result: Result): void {
  if (result.skip || result.todo) into.tally.skipped++;
  else if (result.ok) into.tally.passed++;
  else {
    into.tally.failed++;
    into.failures.push(result);
  }
}

/** The line that ends a test run: `N passed, N failed`, with `, N skipped` if any. */
export function summary(tally: Tally): string {
  const skipped = tally.skipped > 0 ? `, ${tally.skipped} skipped` : '';
  return `${tally.passed} passed, ${tally.failed} failed${skipped}`;
}

import t from 'tap';
import { add, countTap, noTests, summary, type FileResult } from '../../scripts/lib/test-counts.js';

const count = (tap: string) => {
  const files: FileResult[] = [];
  countTap(file => files.push(file)).end(tap);
  return files;
};

t.test('counts leaf assertions, not the lines that summarize subtests', async t => {
  const files = count(`TAP version 14
# Subtest: a.test.ts
    # Subtest: outer
        ok 1 - one
        # Subtest: inner
            ok 1 - two
            not ok 2 - three
            1..2
        not ok 2 - inner
        1..2
    not ok 1 - outer
    ok 2 - later # TODO
    ok 3 - elsewhere # SKIP no display
    1..3
not ok 1 - a.test.ts # time=12ms
# Subtest: b.test.ts
    ok 1 - four
    1..1
ok 2 - b.test.ts
1..2
`);
  t.match(files[0], { name: 'a.test.ts', counts: { passed: 2, failed: 1, skipped: 2 }, time: 12 });
  t.match(files[0]?.failures, [{ name: 'three' }]);
  t.match(files[1], { name: 'b.test.ts', counts: { passed: 1, failed: 0, skipped: 0 } });
});

t.test('a file that crashed without a failing assertion is one failure', async t => {
  const [file] = count(`TAP version 14
# Subtest: crash.test.ts
    ok 1 - fine so far
    1..1
not ok 1 - crash.test.ts
  ---
  exitCode: 139
  ...
1..1
`);
  t.same(file?.counts, { passed: 1, failed: 1, skipped: 0 });
});

t.test('the summary names skipped tests only when there are any', async t => {
  t.equal(summary(noTests()), '0 passed, 0 failed');
  t.equal(
    summary(add({ passed: 2, failed: 1, skipped: 0 }, { passed: 1, failed: 0, skipped: 4 })),
    '3 passed, 1 failed, 4 skipped',
  );
});

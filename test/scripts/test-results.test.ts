/** The TAP output of a test file's process. */
import { Readable } from 'node:stream';
import t from 'tap';
import { add, noTests, readTap, summary } from '../../scripts/lib/test-results.js';

const read = (tap: string) => readTap(Readable.from([tap]));

t.test('counts leaf assertions, not the lines that summarize subtests, and keeps what failed', async t => {
  const { counts, failures, isWhole } = await read(`TAP version 14
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
`);
  t.same(counts, { passed: 2, failed: 1, skipped: 2 });
  t.match(failures, [{ name: 'three', fullname: 'outer > inner > three' }]);
  t.equal(failures.length, 1);
  t.notOk(isWhole);
});

t.test('keeps what tests tell, but nothing of what tap itself does', async t => {
  const { comments } = await read(`TAP version 14
# Subtest: outer
    # FUZZ_SEED=12
    ok 1 - one
    1..1
    # time=3ms
ok 1 - outer # time=4ms
1..1
# { total: 1, pass: 1 }
# time=9ms
`);
  t.same(comments, ['FUZZ_SEED=12']);
});

t.test('output that ends before its plan is not whole', async t => {
  t.match(await read('TAP version 14\nok 1 - one\n'), { counts: { passed: 1, failed: 0 }, isWhole: false });
  t.match(await read('TAP version 14\nok 1 - one\n1..1\n'), { counts: { passed: 1, failed: 0 }, isWhole: true });
});

t.test('the summary names skipped tests only when there are any', async t => {
  t.equal(summary(noTests()), '0 passed, 0 failed');
  t.equal(
    summary(add({ passed: 2, failed: 1, skipped: 0 }, { passed: 1, failed: 0, skipped: 4 })),
    '3 passed, 1 failed, 4 skipped',
  );
});

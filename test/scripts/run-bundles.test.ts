/** Tests run from bundles, several files in one process or each in its own. */
import { relative } from 'node:path';
import t, { type Test } from 'tap';
import { runBundles, type BundledRun } from '../../scripts/lib/run-bundles.js';
import type { FileResult } from '../../scripts/lib/test-counts.js';

const GOOD = `import t from 'tap';
t.ok(true);
t.test('outer', async t => t.test('inner', async t => t.equal(process.pid > 0, true)));`;

/** What comes of these files, by their names. */
async function results(t: Test, files: Record<string, string>, run: Partial<BundledRun> = {}) {
  const folder = t.testdir({ files, bundles: {} });
  const name = (text: string) => text.replaceAll(`${relative(process.cwd(), folder)}/files/`, '');
  const found: Record<string, { passed: number; failed: number; skipped: number; failures: string[] }> = {};
  const onFile = ({ name: file, counts, failures }: FileResult) => {
    found[name(file)] = { ...counts, failures: failures.map(({ fullname }) => name(fullname)) };
  };
  const paths = Object.keys(files).map(file => relative(process.cwd(), `${folder}/files/${file}`));
  const all = {
    files: paths,
    jobs: 1,
    apart: false,
    containers: false,
    timeout: 60,
    env: process.env,
    folder: `${folder}/bundles`,
    ...run,
  };
  await runBundles(all, onFile, new AbortController().signal);
  return found;
}

t.test('each file of a process is counted separately, and failures are named', async t => {
  const found = await results(t, {
    'a.test.ts': GOOD,
    'b.test.ts': `import t from 'tap'; t.test('outer', async t => { t.pass(); t.test('inner', async t => t.equal(1, 2, 'is two')); });`,
    'c.test.ts': `import t from 'tap'; throw new Error('thrown by the file');`,
    'd.test.ts': GOOD,
  });
  t.match(found, {
    'a.test.ts': { passed: 2, failed: 0 },
    'b.test.ts': { passed: 1, failed: 1, failures: ['b.test.ts > outer > inner > is two'] },
    'c.test.ts': { passed: 0, failed: 1, failures: ['c.test.ts > thrown by the file'] },
    'd.test.ts': { passed: 2, failed: 0 },
  });
});

t.test('files share a process unless they are marked to run alone', async t => {
  const file = (n: number) => `import t from 'tap';
globalThis.counted = (globalThis.counted ?? 0) + 1;
t.equal(globalThis.counted, ${n});
t.teardown(() => { delete process.env.UNSET; });`;
  const files = { 'a.test.ts': file(1), 'b.test.ts': file(2) };
  t.match(await results(t, files), { 'a.test.ts': { failed: 0 }, 'b.test.ts': { failed: 0 } });
  t.match(await results(t, files, { apart: true }), { 'a.test.ts': { failed: 0 }, 'b.test.ts': { failed: 1 } });
});

t.test('a file that leaves a process that it shares changed fails', async t => {
  const files = { 'a.test.ts': `import t from 'tap'; process.env.LEFT = '1'; globalThis.left = 1; t.pass();` };
  t.same(Object.keys(await results(t, files, { apart: true })), ['a.test.ts']);
  const found = await results(t, files);
  t.same(Object.keys(found), [
    'a.test.ts',
    'a.test.ts leaves process.env.LEFT other than it was',
    'a.test.ts leaves globalThis.left other than it was',
  ]);
});

t.test('a file that ends or blocks its process fails, and the next ones run in another', async t => {
  const found = await results(
    t,
    {
      'a.test.ts': GOOD,
      'b.test.ts': `import t from 'tap'; t.test('ends', async () => process.exit(3));`,
      'c.test.ts': `import t from 'tap'; t.pass(); for (;;);`,
      'd.test.ts': `import t from 'tap'; t.test('waits', () => new Promise(() => undefined));`,
    },
    { timeout: 2, graceMs: 1000 },
  );
  t.match(found, {
    'a.test.ts': { passed: 2, failed: 0 },
    'b.test.ts': { failed: 1 },
    'c.test.ts': { failed: 1, failures: ['c.test.ts > it blocked its process'] },
    'd.test.ts': { failed: 1, failures: [/waits/] },
  });
});

t.test('a process kept alive by something is ended, and that is reported', async t => {
  const found = await results(
    t,
    { 'a.test.ts': `import t from 'tap'; setInterval(() => undefined, 1000); t.pass();` },
    { graceMs: 1000 },
  );
  t.match(found, {
    'a.test.ts': { passed: 1, failed: 0 },
    'test processes': { failed: 1, failures: ['test processes > something was left running by one of: a.test.ts'] },
  });
});

t.test('files that would begin after the budget is spent are skipped, and counted', async t => {
  const files = { 'a.test.ts': GOOD, 'b.test.ts': GOOD };
  const skipped = { passed: 0, failed: 0, skipped: 1, failures: [] };
  t.same(await results(t, files, { until: performance.now() - 1 }), { 'a.test.ts': skipped, 'b.test.ts': skipped });
});

/** A phase of tests: files that fail are run again if they are few. */
import { relative } from 'node:path';
import t, { type Test } from 'tap';
import { runPhase } from '../../scripts/lib/run-phase.js';

const PASSES = `import t from 'tap'; t.pass('good'); t.pass('better');`;
const FAILS = `import t from 'tap'; t.pass('good'); t.fail('broken');`;

/** Fails when it runs for the first time. */
const fallible = (mark: string) => `import { existsSync, writeFileSync } from 'node:fs';
import t from 'tap';
const isAgain = existsSync('${mark}');
writeFileSync('${mark}', '');
t.pass('good');
t.ok(isAgain, 'late');`;

/** What comes of a phase with these files, and what it prints. */
async function resultOf(t: Test, contents: (mark: string) => Record<string, string>, { apart = true } = {}) {
  const folder = t.testdir({});
  const contentsOf = contents(`${folder}/mark`);
  t.testdir({ files: contentsOf });
  const files = Object.keys(contentsOf).map(file => relative(process.cwd(), `${folder}/files/${file}`));
  const printed: string[] = [];
  t.intercept(console, 'log', { value: (line: string) => void printed.push(line) });
  const phase = { name: 'a phase of its test', files, whole: true, jobs: 2, apart, timeout: 60, containers: false };
  const result = await runPhase(phase, { env: process.env }, new AbortController().signal);
  const short = (name: string) => name.replace(/^.*\/files\//, '');
  return { ...result, failed: result.failed.map(short), unsteady: result.unsteady.map(short), printed };
}

t.test('a file that passes when it is run again counts as passed, and is named', async t => {
  const { counts, failed, unsteady, printed } = await resultOf(t, mark => ({
    'a.test.ts': fallible(mark),
    'b.test.ts': PASSES,
  }));
  t.same(counts, { passed: 4, failed: 0, skipped: 0 });
  t.same({ failed, unsteady }, { failed: [], unsteady: ['a.test.ts > late'] });
  t.equal(printed.filter(line => /^not ok .*a\.test\.ts: 1 passed, 1 failed/.test(line)).length, 1);
  t.equal(printed.filter(line => /^ok .*a\.test\.ts: 2 passed/.test(line)).length, 1);
});

t.test('a file that fails again counts once, as failed', async t => {
  const { counts, failed, unsteady } = await resultOf(t, () => ({ 'a.test.ts': FAILS, 'b.test.ts': PASSES }));
  t.same(counts, { passed: 3, failed: 1, skipped: 0 });
  t.same({ failed, unsteady }, { failed: ['a.test.ts > broken'], unsteady: [] });
});

t.test('nothing is run again if more than two files failed', async t => {
  const { failed } = await resultOf(t, mark => ({
    'a.test.ts': fallible(mark),
    'b.test.ts': FAILS,
    'c.test.ts': FAILS,
  }));
  t.same(failed.sort(), ['a.test.ts > late', 'b.test.ts > broken', 'c.test.ts > broken']);
});

t.test('a file that passes but leaves its process other than it was fails', async t => {
  const files = (mark: string) => ({ 'a.test.ts': `${fallible(mark)} if (isAgain) globalThis.left = 1;` });
  const { failed, unsteady } = await resultOf(t, files, { apart: false });
  t.same(failed, ['a.test.ts leaves globalThis.left other than it was']);
  t.same(unsteady, ['a.test.ts > late']);
});

/** A phase of tests: files on containers that fail are run again if they are few, and that is told. */
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
t.ok(isAgain, 'late', { because: 'it is too early' });`;

/** What comes of a phase with these files, and what it prints. */
async function resultOf(
  t: Test,
  contents: (mark: string) => Record<string, string>,
  { containers = true, random = [] as string[] } = {},
) {
  const folder = t.testdir({});
  const contentsOf = contents(`${folder}/mark`);
  t.testdir({ files: contentsOf });
  const path = (file: string) => relative(process.cwd(), `${folder}/files/${file}`);
  const printed: string[] = [];
  t.intercept(console, 'log', { value: (line: string) => void printed.push(line) });
  const phase = {
    name: 'containers' as const,
    files: Object.keys(contentsOf).map(path),
    random: new Set(random.map(path)),
    whole: true,
    jobs: 2,
    timeout: 60,
    containers,
  };
  const result = await runPhase(phase, process.env, new AbortController().signal);
  const short = (name: string) => name.replace(/^.*\/files\//, '');
  return { ...result, failed: result.failed.map(short), unsteady: result.unsteady.map(short), printed };
}

t.test('a file that passes when it is run again counts as passed, and is named with why it failed', async t => {
  const { counts, failed, unsteady, printed } = await resultOf(t, mark => ({
    'a.test.ts': fallible(mark),
    'b.test.ts': PASSES,
  }));
  t.same(counts, { passed: 4, failed: 0, skipped: 0 });
  t.same(failed, []);
  t.match(unsteady, [/^a\.test\.ts > late\n[^]*"because": "it is too early"/]);
  t.equal(printed.filter(line => /^not ok .*a\.test\.ts: 1 passed, 1 failed/.test(line)).length, 1);
  t.equal(printed.filter(line => /^ok .*a\.test\.ts: 2 passed/.test(line)).length, 1);
});

t.test('a file that fails again counts once, as failed', async t => {
  const { counts, failed, unsteady } = await resultOf(t, () => ({ 'a.test.ts': FAILS, 'b.test.ts': PASSES }));
  t.same(counts, { passed: 3, failed: 1, skipped: 0 });
  t.same({ failed, unsteady }, { failed: ['a.test.ts > broken'], unsteady: [] });
});

const late = (mark: string) => ({ 'a.test.ts': fallible(mark) });

t.test('nothing is run again if more than two files failed', async t => {
  const { failed } = await resultOf(t, mark => ({ ...late(mark), 'b.test.ts': FAILS, 'c.test.ts': FAILS }));
  t.same(failed.sort(), ['a.test.ts > late', 'b.test.ts > broken', 'c.test.ts > broken']);
});

t.test('nothing is run again that needs no container', async t => {
  t.match(await resultOf(t, late, { containers: false }), { failed: ['a.test.ts > late'], unsteady: [] });
});

t.test('nothing is run again that draws at random what it tries', async t => {
  t.match(await resultOf(t, late, { random: ['a.test.ts'] }), { failed: ['a.test.ts > late'], unsteady: [] });
});

t.test('what a file tells is printed below it', async t => {
  const tells = `import t from 'tap'; t.comment('FUZZ_SEED=12'); t.pass('good');`;
  const { printed } = await resultOf(t, () => ({ 'a.test.ts': tells }));
  t.match(printed.slice(-2), [/^ok .*a\.test\.ts: 1 passed/, /^ +# FUZZ_SEED=12$/]);
});

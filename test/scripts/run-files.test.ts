/** Test files run from bundles, each in a process of its own. */
import { relative } from 'node:path';
import t, { type Test } from 'tap';
import { type FilesRun, runFiles } from '../../scripts/lib/run-files.js';

const GOOD = `import t from 'tap';
t.ok(true);
t.test('outer', async t => t.test('inner', async t => t.equal(process.pid > 0, true)));`;

interface Found {
  passed: number;
  failed: number;
  skipped: number;
  failures: string[];
}

/** What comes of these files, by their names. */
async function results(
  t: Test,
  files: Record<string, string>,
  run: Partial<FilesRun> = {},
  signal = new AbortController().signal,
): Promise<Record<string, Found>> {
  const folder = t.testdir({ files, bundles: {} });
  const found: Record<string, Found> = {};
  const paths = Object.keys(files).map(file => relative(process.cwd(), `${folder}/files/${file}`));
  const defaults = { files: paths, jobs: 1, timeout: 60, containers: false, env: process.env };
  await runFiles(
    { ...defaults, folder: `${folder}/bundles`, ...run },
    ({ name, counts, failures }) => {
      found[name.replace(/^.*\/files\//, '')] = { ...counts, failures: failures.map(({ fullname }) => fullname) };
    },
    signal,
  );
  return found;
}

t.test('the assertions of each file are counted, and failures are named', async t => {
  const found = await results(t, {
    'a.test.ts': GOOD,
    'b.test.ts': `import t from 'tap'; t.test('outer', async t => { t.pass(); t.test('inner', async t => t.equal(1, 2, 'is two')); });`,
    'c.test.ts': `import t from 'tap'; throw new Error('thrown by the file');`,
    'd.test.ts': GOOD,
  });
  t.match(found, {
    'a.test.ts': { passed: 2, failed: 0 },
    'b.test.ts': { passed: 1, failed: 1, failures: ['outer > inner > is two'] },
    'c.test.ts': { passed: 0, failed: 1, failures: ['its process ended with code 1'] },
    'd.test.ts': { passed: 2, failed: 0 },
  });
});

t.test('a file that ends or blocks its process, or leaves something running, fails', async t => {
  const found = await results(
    t,
    {
      'ends.test.ts': `import t from 'tap'; t.test('ends', async () => process.exit(0));`,
      'dies.test.ts': `import t from 'tap'; t.pass(); process.kill(process.pid, 'SIGKILL');`,
      'blocks.test.ts': `import t from 'tap'; t.pass(); for (;;);`,
      'waits.test.ts': `import t from 'tap'; t.test('waits', () => new Promise(() => undefined));`,
      'stays.test.ts': `import t from 'tap'; process.on('SIGALRM', () => undefined); setInterval(() => undefined, 1000); t.pass();`,
    },
    { timeout: 8, graceMs: 2000, jobs: 3 },
  );
  const hangs = 'it blocked its process, or left something running';
  t.match(found, {
    'ends.test.ts': { failed: 1 },
    'dies.test.ts': { failed: 1, failures: ['its process ended with SIGKILL'] },
    'blocks.test.ts': { failed: 1, failures: [hangs] },
    'waits.test.ts': { failed: 1, failures: [/waits/] },
  });
  t.ok((found['stays.test.ts']?.failed ?? 0) > 0, JSON.stringify(found['stays.test.ts']));
});

t.test('files that the end of the run leaves no time for fail, and say so', async t => {
  const files = { 'a.test.ts': GOOD, 'b.test.ts': GOOD };
  const notRun = { passed: 0, failed: 1, skipped: 0, failures: ['not run: it took too long'] };
  t.same(await results(t, files, {}, AbortSignal.abort('it took too long')), {
    'a.test.ts': notRun,
    'b.test.ts': notRun,
  });
});

/**
 * The unit tests in C, on this machine: where a C compiler and the libraries' headers are installed.
 * test/containers/display/suites.test.ts runs them where all of them are.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import { reportSuites } from '../fixtures/c-suites.js';

const here = dirname(fileURLToPath(import.meta.url));
const missing = ['make', 'cc', 'pkg-config'].filter(tool => spawnSync('sh', ['-c', `command -v ${tool}`]).status !== 0);

t.test('C tests', { skip: missing.length > 0 && `not installed: ${missing.join(', ')}` }, async t => {
  const build = mkdtempSync(join(tmpdir(), 'berth-test-'));
  t.teardown(() => rmSync(build, { recursive: true }));
  const { status, stdout, stderr } = spawnSync('make', ['-s', `-j${availableParallelism()}`, '-C', here, `BUILD=${build}`, 'run'], { encoding: 'utf8' });
  reportSuites(t, { status: status ?? -1, stdout, stderr }, true);
});

/**
 * Runs bundled test files, several at the same time, and writes TAP. Arguments: how many at once, seconds that one may
 * take, the test files.
 */
import t from 'tap';
import { bundleOf } from './lib/bundle-tests.js';

const [jobs, seconds, ...files] = process.argv.slice(2);

const timeout = Number(seconds) * 1000;
const nodeOptions = process.env['NODE_OPTIONS'] ?? '';
const env = { ...process.env, TAP_TIMEOUT: seconds };

t.setTimeout(0);
t.jobs = Number(jobs);
for (const file of files) {
  const options = { buffered: true, timeout, env, name: file };
  // tap would load code into each process that finds out which files it reads.
  void t.spawn(
    'env',
    [`NODE_OPTIONS=${nodeOptions}`, process.execPath, '--enable-source-maps', bundleOf(file)],
    options,
  );
}

/**
 * Runs the tests that need neither a container engine nor a browser, and ends as scripts/test.ts does. Arguments: path
 * prefixes or globs, to run only those; those that take long run only if they are named.
 */
import { plan } from './lib/phases.js';
import { TestRun } from './lib/test-run.js';

const LIMIT_MS = 15 * 60_000;

const patterns = process.argv.slice(2);
const phases = await plan(patterns);
const isAll = patterns.length === 0;
const left = phases.filter(({ containers }) => containers).flatMap(({ files }) => files);
if (!isAll && left.length > 0) console.log(`skip    needs containers, which make test runs: ${left.join(', ')}`);

const tests = await TestRun.begin(LIMIT_MS);
await tests.command('generated sources', 'npm', 'run', '--silent', 'generate');
for (const phase of phases) {
  if (isAll ? phase.name === 'unit' : !phase.containers) await tests.phase(phase);
}
await tests.finish();

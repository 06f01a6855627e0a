/**
 * Runs every test and ends with the line `N passed, N failed`, also kept in .tap/summary. Argument: a path prefix
 * such as test/server, to run only those. Exits with 1 if anything failed or no test ran.
 */
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { audit } from './lib/audit.js';
import { leftovers } from './lib/leftovers.js';
import { runTap } from './lib/run-tap.js';
import { run } from './lib/steps.js';
import { add, emptyTally, summary, type Tally } from './lib/tally.js';
import { phases } from './lib/test-files.js';

/** Ends a run that hangs, with a summary. */
const DEADLINE_MS = 75 * 60_000;

const ending = new AbortController();
const ended = ending.signal;
setTimeout(() => ending.abort('the tests took too long and were ended'), DEADLINE_MS).unref();
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => ending.abort(`the tests were ended by ${signal}`));
}
const env = testEnvironment();
const SUMMARY_FILE = '.tap/summary';
let total = emptyTally();
let tests = 0;

const count = (tally: Tally) => void (total = add(total, tally));
const step = async (name: string, work: Promise<boolean>) => {
  const ok = await work;
  console.log(`${ok ? 'ok    ' : 'not ok'}  ${name}`);
  count({ passed: ok ? 1 : 0, failed: ok ? 0 : 1, skipped: 0 });
  return ok;
};

await rm(SUMMARY_FILE, { force: true });
const plan = await phases(process.argv[2]);
if (process.argv[2] === undefined) await checkPackages();
await step('types', run('npm', ['run', '--silent', 'typecheck'], env, ended));
let ready: boolean | undefined;
for (const phase of plan) {
  if (ended.aborted) break;
  console.log(`\n# ${phase.name}`);
  if (phase.containers && !(ready ??= await prepare())) continue;
  const tally = await runTap({ ...phase, env }, ended);
  tests += tally.passed + tally.failed;
  count(tally);
}
if (ready !== undefined) await checkLeftovers();
await step('container engine stopped if started for the tests', run('scripts/engine.sh', ['stop'], env));
if (ended.aborted) {
  console.log(`not ok  ${String(ended.reason)}`);
  total.failed++;
}
if (tests === 0) {
  console.log('not ok  no test ran');
  total.failed++;
}
await mkdir('.tap', { recursive: true });
await writeFile(SUMMARY_FILE, `${summary(total)}\n`);
console.log(`\n${summary(total)}`);
process.exitCode = total.failed > 0 ? 1 : 0;

/** Sees to the engine, the images and the built service. */
async function prepare(): Promise<boolean> {
  return (
    (await step('container engine', run('scripts/engine.sh', ['start'], env, ended))) &&
    (await step('build', run('npm', ['run', '--silent', 'build'], env, ended))) &&
    (await step('images', run('images/build.sh', ['all'], env, ended)))
  );
}

/** Checks that nothing that the service is made of is known to be vulnerable, where the registry tells. */
async function checkPackages(): Promise<void> {
  const { result, report } = await audit(env, ended);
  if (result === 'unknown') {
    console.log(`skip    vulnerabilities of npm packages: ${report}`);
    return count({ passed: 0, failed: 0, skipped: 1 });
  }
  if (result === 'vulnerable') console.log(report.replace(/^/gm, '        '));
  await step('no known vulnerabilities of npm packages', Promise.resolve(result === 'clean'));
}

/** Checks that the tests left nothing behind. */
async function checkLeftovers(): Promise<void> {
  const left = await leftovers();
  for (const thing of left) console.log(`        left behind: ${thing}`);
  await step('the tests leave nothing behind', Promise.resolve(left.length === 0));
}

/** The environment without anything that would configure the service under test. */
function testEnvironment(): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(([name]) => !/^(BERTH|TAP)_/.test(name));
  return { ...Object.fromEntries(kept), NO_COLOR: '1' };
}

/**
 * Runs every test, and ends with the line `N passed, N failed`, also kept in .tap/summary.
 * Arguments: path prefixes or globs such as test/server or 'test/**\/link*', to run only those. Exits with 1 if
 * anything failed or no test ran.
 */
import { audit } from './lib/audit.js';
import { leftovers, traces } from './lib/leftovers.js';
import { run } from './lib/steps.js';
import { buildCluster, runCluster, type RunCluster } from './lib/test-cluster.js';
import { type Phase, plan } from './lib/test-files.js';
import { TestRun } from './lib/test-run.js';

const DEADLINE_MS = 75 * 60_000;

const patterns = process.argv.slice(2);
const phases = await plan(patterns);
const tests = await TestRun.begin(DEADLINE_MS);
if (patterns.length === 0) await checkPackages();
await tests.command('types', 'npm', 'run', '--silent', 'typecheck');
await tests.command('lint', 'npm', 'run', '--silent', 'lint');
let ready: boolean | undefined;
let before: ReadonlySet<string> = new Set();
let building: Promise<unknown> | undefined;
for (const phase of phases) {
  if (tests.ended.aborted) break;
  if (phase.containers && !(ready ??= await prepare())) continue;
  // The first time, Kubernetes is compiled, which takes minutes.
  if (phase.waits && phases.some(({ cluster }) => cluster)) building = buildCluster(tests.env, tests.ended);
  await (phase.cluster ? onCluster(phase) : tests.phase(phase));
}
if (ready !== undefined) {
  await checkLeftovers();
  await tests.step('container engine stopped if started for the tests', () =>
    run('scripts/engine.sh', ['stop'], tests.env),
  );
}
await tests.finish();

/** Prepares the engine, the images and the built service. */
async function prepare(): Promise<boolean> {
  console.log();
  const hasEngine = await tests.command('container engine', 'scripts/engine.sh', 'start');
  before = new Set(await traces());
  return (
    hasEngine &&
    (await tests.command('build', 'npm', 'run', '--silent', 'build')) &&
    (await tests.command('images', 'scripts/with-engine.sh', '--as-is', 'images/build.sh', 'all', 'android-device'))
  );
}

/** Runs a phase whose files share a Kubernetes cluster. */
async function onCluster(phase: Phase): Promise<void> {
  console.log();
  let cluster: RunCluster | null = null;
  const begun =
    (await tests.command('image of the service', 'scripts/with-engine.sh', '--as-is', 'images/build.sh', 'service')) &&
    (await tests.step('Kubernetes cluster', async () => {
      await building;
      cluster = await runCluster(tests.env, tests.ended);
      return cluster !== null;
    }));
  if (!begun || cluster === null) return;
  const { env, stop } = cluster as RunCluster;
  await tests.phase(phase, env);
  await stop();
}

/** Checks the service's dependencies for known vulnerabilities, if the registry supports audits. */
async function checkPackages(): Promise<void> {
  const { result, report } = await audit(tests.env, tests.ended);
  if (result === 'unknown') {
    console.log(`skip    vulnerabilities of npm packages: ${report}`);
    return tests.count({ passed: 0, failed: 0, skipped: 1 });
  }
  if (result === 'vulnerable') console.log(report.replace(/^/gm, '        '));
  await tests.step('no known vulnerabilities of npm packages', () => Promise.resolve(result === 'clean'));
}

/** Checks that the tests left nothing behind; what a killed run had left before is not theirs. */
async function checkLeftovers(): Promise<void> {
  const left = await leftovers(before);
  for (const thing of left) console.log(`        left behind: ${thing}`);
  await tests.step('the tests leave nothing behind', () => Promise.resolve(left.length === 0));
}

/**
 * Runs every test, and ends with the line `N passed, N failed`, also kept in .tap/summary.
 * Arguments: path prefixes or globs such as test/server or 'test/**\/link*', to run only those. Exits with 1 if
 * anything failed or no test ran.
 *
 * What needs no container runs while the images are built. The tests on a cluster run beside the others on containers, as
 * soon as their own images are built. What measures times or takes all processors comes last, when nothing else runs.
 */
import { audit } from './lib/audit.js';
import { leftovers, traces } from './lib/leftovers.js';
import { type Phase, plan } from './lib/phases.js';
import { run } from './lib/steps.js';
import { buildCluster, runCluster, type RunCluster } from './lib/test-cluster.js';
import { TestRun } from './lib/test-run.js';

/** Minutes after which a run is ended: some machines, which are slow to start processes, take twice as long as others. */
const LIMIT_MIN = Number(process.env['LIMIT_MIN'] || 85);
const TSX = 'node_modules/.bin/tsx';
const IMAGES = ['scripts/with-engine.sh', '--as-is', 'images/build.sh'] as const;
const SERVICE = [...IMAGES, 'service'] as const;

if (!(LIMIT_MIN > 0)) {
  console.error('berth: LIMIT_MIN must be a number of minutes.');
  process.exit(2);
}
const patterns = process.argv.slice(2);
const phases = await plan(patterns);
const [quick, contained] = [phases.filter(each => !each.containers), phases.filter(each => each.containers)];
const tests = await TestRun.begin(LIMIT_MIN * 60_000);
let before: ReadonlySet<string> = new Set();
/** The images of the cluster's nodes and of the service, while they are being built. */
let building: Promise<unknown> = Promise.resolve();

// All that runs from here on reads them.
await tests.command('generated sources', 'npm', 'run', '--silent', 'generate');
const [isReady] = await Promise.all([contained.length > 0 && prepare(), check()]);
if (isReady) {
  const named = (name: Phase['name']) => contained.filter(phase => phase.name === name);
  const others = inSequence([...named('containers'), ...named('waiting')]);
  await Promise.all([others, ...named('cluster').map(onCluster)]);
  await inSequence(named('alone'));
}
if (contained.length > 0) {
  await checkLeftovers();
  await tests.step('container engine stopped if started for the tests', () =>
    run('scripts/engine.sh', ['stop'], tests.env),
  );
}
await tests.finish();

async function inSequence(some: readonly Phase[]): Promise<void> {
  for (const phase of some) await tests.phase(phase);
}

/** Checks the sources, unless only some tests are wanted, and runs what needs no container. */
async function check(): Promise<void> {
  if (patterns.length === 0) {
    await checkPackages();
    await Promise.all([
      tests.command('types', TSX, 'scripts/typecheck.ts'),
      tests.command('lint', 'npm', 'run', '--silent', 'lint'),
    ]);
  }
  await inSequence(quick);
}

/** Prepares the engine, the built service and the images; those for a cluster are built from then on. */
async function prepare(): Promise<boolean> {
  const hasEngine = await tests.command('container engine', 'scripts/engine.sh', 'start');
  before = new Set(await traces());
  const isReady =
    hasEngine &&
    (await tests.command('build', TSX, 'scripts/build.ts')) &&
    (await tests.command('images', ...IMAGES, 'all', 'android-device'));
  // The first time, Kubernetes and SQLite are compiled, which takes minutes.
  if (isReady && contained.some(({ name }) => name === 'cluster'))
    building = buildCluster(tests.env, tests.ended).then(() =>
      run(SERVICE[0], SERVICE.slice(1), tests.env, tests.ended),
    );
  return isReady;
}

/** Runs a phase whose files share a Kubernetes cluster. */
async function onCluster(phase: Phase): Promise<void> {
  let cluster: RunCluster | null = null;
  await building;
  const begun =
    (await tests.command('image of the service', ...SERVICE)) &&
    (await tests.step('Kubernetes cluster', async () => {
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

/** Checks that the tests left nothing behind; leftovers of a run that was killed before do not count. */
async function checkLeftovers(): Promise<void> {
  const left = await leftovers(before);
  for (const thing of left) console.log(`        left behind: ${thing}`);
  await tests.step('the tests leave nothing behind', () => Promise.resolve(left.length === 0));
}

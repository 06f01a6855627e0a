// tags: containers, cluster
/** `make check-cluster`, as an operator runs it. */
import { execFile } from 'node:child_process';
import t from 'tap';
import { testCluster } from '../fixtures/kubernetes/cluster.js';
import { FORWARD } from '../fixtures/kubernetes/cluster/service-account.js';
import { until } from '../fixtures/until.js';

const cluster = await testCluster(t);

interface Outcome {
  code: number;
  /** Verdicts by check, in their order. */
  verdicts: Record<string, string>;
  /** What was said of each. */
  words: Record<string, string>;
}

/** Runs the checks as an administrator, with these settings besides those of the cluster. */
function check(env: Record<string, string> = {}): Promise<Outcome> {
  return new Promise(resolve => {
    const options = { env: { ...process.env, ...cluster.env, KUBECONFIG: cluster.admin, ...env } };
    execFile('node_modules/.bin/tsx', ['scripts/check-cluster.ts'], options, (error, stdout) => {
      const lines = [...stdout.matchAll(/^(PASS|FAIL|SKIP) {2}(.{10,}?) {2}(.*)$/gm)];
      const named = (part: number) =>
        Object.fromEntries(lines.map(line => [(line[2] ?? '').trim(), line[part] ?? ''] as const));
      resolve({ code: error === null ? 0 : Number(error.code), verdicts: named(1), words: named(3) });
    });
  });
}

const leavesNothing = () =>
  until('nothing is left', async () => {
    const left = await cluster.kubectl('get', 'pods,networkpolicies', '--output=name');
    return left === '';
  });

/** The service's own access. */
const { KUBECONFIG = '' } = cluster.env;

t.test('a cluster that has all that sessions need passes', async t => {
  const { code, verdicts, words } = await check();
  t.same(verdicts, {
    'API server': 'PASS',
    rights: 'PASS',
    admission: 'PASS',
    nodes: 'PASS',
    images: 'PASS',
    sandbox: 'PASS',
    network: 'PASS',
    start: 'PASS',
    drain: 'PASS',
  });
  t.equal(code, 0);
  t.match(words['API server'], /^Kubernetes v\d+\.\d+/);
  t.match(words['start'], /listened after [\d.]+ s, on the node \S+\.$/);
  await leavesNothing();
});

t.test('what is missing is said, and what depends on it is not tried', async t => {
  const { code, verdicts, words } = await check({
    BERTH_KUBERNETES_IMAGES: 'chromium=berth-test.invalid/none:1.0,console=berth-test.invalid/none:1.0',
  });
  t.equal(code, 1);
  t.match(verdicts, { 'API server': 'PASS', admission: 'PASS', images: 'FAIL', sandbox: 'SKIP', drain: 'SKIP' });
  t.match(words['images'], /^The image cannot be pulled: .*berth-test\.invalid\/none/);
  t.equal(words['drain'], 'Not tried, since "images" failed.');
  await leavesNothing();
});

t.test("with the service's own rights all passes but what is an administrator's", async t => {
  const { code, verdicts, words } = await check({ KUBECONFIG });
  t.same(
    Object.entries(verdicts).filter(([, verdict]) => verdict !== 'PASS'),
    [['nodes', 'SKIP']],
    JSON.stringify(words),
  );
  t.equal(code, 0);
  await leavesNothing();
});

t.test('a service that may not forward ports is told, and no session is tried', async t => {
  await cluster.kubectl('delete', 'rolebinding', FORWARD);
  const { code, verdicts, words } = await check({ KUBECONFIG });
  t.match(words['rights'], /^The service may not get pods\/portforward, create pods\/portforward in /);
  t.match(verdicts, { rights: 'FAIL', network: 'PASS', start: 'SKIP', drain: 'SKIP' });
  t.equal(code, 1);
  await leavesNothing();
});

t.test('settings that lead to no cluster are refused in words', async t => {
  const { code, verdicts } = await check({ KUBECONFIG: '/none' });
  t.same([code, verdicts], [1, {}]);
});

// tags: containers, cluster
/**
 * The chart, rendered by helm or, where there is none, by the same template engine: what it makes for clusters of before
 * and of now.
 */
import { readFile } from 'node:fs/promises';
import t from 'tap';
import { parse, parseAllDocuments } from 'yaml';
import { namespaced } from '../../scripts/lib/chart/namespaced.js';
import { renderChart } from '../../scripts/lib/chart/render.js';
import { parseConfig } from '../../src/server/config/index.js';
import { testCluster } from '../fixtures/cluster.js';
import { typeErrors } from '../fixtures/manifest-types.js';

const NEW = ['networking.k8s.io/v1/Ingress', 'policy/v1/PodDisruptionBudget'];
const IMAGES = { chromium: 'registry.example/chromium:1.0', console: 'registry.example/console:1.0' };

interface Manifest {
  apiVersion: string;
  kind: string;
  metadata: { name: string; namespace?: string; labels?: Record<string, string> };
  // What a test expects of a manifest it says itself.
  spec?: any;
  rules?: any;
}

const parseAll = (yaml: string) => parseAllDocuments(yaml).flatMap(each => (each.toJS() as Manifest | null) ?? []);

/** The manifests of a release, by kind and name. */
async function render(values: object = {}, versions = NEW): Promise<Map<string, Manifest>> {
  const all = {
    image: { repository: 'registry.example/service', tag: '1.0' },
    sessions: { images: IMAGES },
    ...values,
  };
  const manifests = parseAll(await renderChart({ name: 'release', namespace: 'web', values: all, versions }));
  return new Map(manifests.map(each => [`${each.kind} ${each.metadata.name}`, each]));
}

/** Everything that the chart can make of what Kubernetes itself knows. */
const ALL = {
  imagePullSecrets: [{ name: 'one' }],
  ingress: { enabled: true, host: 'berth.example', className: 'nginx', tlsSecret: 'tls', annotations: { a: 'b' } },
  sessions: {
    images: IMAGES,
    egress: 'filter',
    nodeSelector: { pool: 'berth' },
    tolerations: [{ key: 'berth', operator: 'Exists', effect: 'NoSchedule' }],
    quota: { pods: 10, requestsCpu: '8', requestsMemory: '16Gi' },
  },
  networkPolicy: { enabled: true, from: [{ namespaceSelector: {} }] },
  podAnnotations: { a: 'b' },
  nodeSelector: { pool: 'web' },
  existingSecret: 'settings',
};

/** Settings that the service gets of a Deployment. */
const settingsOf = (manifests: Map<string, Manifest>): Record<string, string> =>
  Object.fromEntries(
    (
      manifests.get('Deployment release')?.spec.template.spec.containers[0].env as { name: string; value: string }[]
    ).map(({ name, value }) => [name, value] as const),
  );

t.test('by default there is all that a service needs, and nothing that takes more than the cluster has', async t => {
  const manifests = await render();
  t.same([...manifests.keys()].sort(), [
    'DaemonSet release-images',
    'DaemonSet release-seccomp',
    'Deployment release',
    'Namespace berth-sessions',
    'NetworkPolicy release',
    'PersistentVolumeClaim release',
    'PodDisruptionBudget release',
    'Role release',
    'RoleBinding release',
    'Service release',
    'ServiceAccount release',
  ]);
  t.equal(manifests.get('Role release')?.metadata.namespace, 'berth-sessions');
  t.equal(
    manifests.get('Namespace berth-sessions')?.metadata.labels?.['pod-security.kubernetes.io/enforce'],
    'restricted',
  );
});

t.test('what the service is told is valid, and what the values say', async t => {
  const manifests = await render({
    sessions: {
      images: IMAGES,
      egress: 'filter',
      egressAllow: ['10.1.0.0/16'],
      nodeSelector: { pool: 'berth' },
      tolerations: [{ key: 'berth', operator: 'Exists', effect: 'NoSchedule' }],
      annotations: { 'example.com/team': 'a "b"' },
      pullSecrets: ['one'],
      runtimeClassName: 'gvisor',
      hostUsers: false,
      graceSeconds: 90,
    },
    settings: { BERTH_MAX_SESSIONS: '100' },
  });
  const config = parseConfig(settingsOf(manifests), '/');
  t.match(config, {
    host: '0.0.0.0',
    dataDir: '/data',
    maxSessions: 100,
    runtime: 'gvisor',
    egress: { mode: 'private', allow: ['10.1.0.0/16'] },
    kubernetes: {
      namespace: 'berth-sessions',
      images: IMAGES,
      pullSecrets: ['one'],
      hostUsers: false,
      egress: 'filter',
      graceS: 90,
      tolerations: [{ key: 'berth', operator: 'Exists', effect: 'NoSchedule' }],
      annotations: { 'example.com/team': 'a "b"' },
    },
  });
  t.match(config.regions.get('NA'), { transport: 'kubernetes', nodes: { pool: 'berth' } });
  t.equal(
    manifests.get('Namespace berth-sessions')?.metadata.labels?.['pod-security.kubernetes.io/enforce'],
    'privileged',
  );
  t.same(manifests.get('DaemonSet release-seccomp')?.spec.template.spec.nodeSelector, { pool: 'berth' });
});

t.test('old clusters get the versions that they have', async t => {
  const values = { ingress: { enabled: true, host: 'berth.example' } };
  const [old, now] = [await render(values, []), await render(values)];
  t.equal(old.get('Ingress release')?.apiVersion, 'networking.k8s.io/v1beta1');
  t.equal(old.get('Ingress release')?.spec.rules[0].http.paths[0].backend.serviceName, 'release');
  t.equal(old.get('PodDisruptionBudget release')?.apiVersion, 'policy/v1beta1');
  t.equal(now.get('Ingress release')?.apiVersion, 'networking.k8s.io/v1');
  t.equal(now.get('Ingress release')?.spec.rules[0].http.paths[0].backend.service.name, 'release');
  t.equal(now.get('PodDisruptionBudget release')?.apiVersion, 'policy/v1');
});

t.test('what is optional is there where it is asked for', async t => {
  const manifests = await render({
    httpRoute: { enabled: true, host: 'berth.example', parentRefs: [{ name: 'gateway' }] },
    serviceMonitor: { enabled: true },
    persistence: { enabled: false },
    sessions: { images: IMAGES, namespace: '', quota: { pods: 10 } },
    seccompInstaller: { enabled: false },
    prePull: { enabled: false },
    networkPolicy: { enabled: false },
  });
  t.same([...manifests.keys()].sort(), [
    'Deployment release',
    'HTTPRoute release',
    'PodDisruptionBudget release',
    'ResourceQuota release',
    'Role release',
    'RoleBinding release',
    'Service release',
    'ServiceAccount release',
    'ServiceMonitor release',
  ]);
  t.equal(manifests.get('Role release')?.metadata.namespace, 'web');
  t.same(manifests.get('ResourceQuota release')?.spec.hard, { pods: '10' });
});

t.test('the manifests have the types of the newest Kubernetes that the client knows', async t => {
  const manifests = [...(await render(ALL)).values()];
  t.ok(manifests.some(({ kind }) => kind === 'Ingress') && manifests.some(({ kind }) => kind === 'ResourceQuota'));
  t.same(typeErrors(manifests), []);
  const wrong = manifests.slice(0, 1).map(each => ({ ...each, spec: { ...each.spec, replica: 1 } }));
  t.match(typeErrors(wrong), [/'"replica"' does not exist in type 'V1DeploymentSpec'/]);
});

t.test("a cluster's API server accepts the manifests", async t => {
  const { apply, namespace, nodes } = await testCluster(t, { hollow: true });
  // The test cluster's version has the newer one of these, not yet that of budgets.
  const versions = nodes.length === 0 ? NEW : NEW.slice(0, 1);
  const manifests = await render({ ...ALL, sessions: { ...ALL.sessions, namespace: '' } }, versions);
  const items = [...manifests.values()].map(each => ({ ...each, metadata: { ...each.metadata, namespace } }));
  await apply(JSON.stringify({ apiVersion: 'v1', kind: 'List', items }), '--dry-run=server');
  t.ok(items.length > 10);
});

t.test('the plain manifests are those of the chart', async t => {
  const values = parse(await readFile('deploy/manifests/values.yaml', 'utf8')) as object;
  const release = { name: 'berth', namespace: 'berth', values, versions: NEW };
  const plain = parseAll(await readFile('deploy/manifests/berth.yaml', 'utf8'));
  t.same(plain, parseAll(namespaced(await renderChart(release), 'berth')), 'otherwise: make manifests');
});

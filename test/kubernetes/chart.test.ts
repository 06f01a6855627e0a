// tags: containers, cluster
/** What Kubernetes says of the chart's manifests. */
import t from 'tap';
import { IMAGES, manifestsOf } from '../fixtures/kubernetes/chart.js';
import { testCluster } from '../fixtures/kubernetes/cluster.js';
import { typeErrors } from '../fixtures/kubernetes/manifest-types.js';

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

t.test('the manifests have the types of the newest Kubernetes that the client knows', async t => {
  const manifests = [...(await manifestsOf(ALL)).values()];
  t.ok(manifests.some(({ kind }) => kind === 'Ingress') && manifests.some(({ kind }) => kind === 'ResourceQuota'));
  t.same(typeErrors(manifests), []);
  const wrong = manifests
    .filter(({ kind }) => kind === 'Deployment')
    .map(each => ({ ...each, spec: { ...each.spec, replica: 1 } }));
  t.match(typeErrors(wrong), [/'"replica"' does not exist in type 'V1DeploymentSpec'/]);
});

t.test("a cluster's API server accepts the manifests", async t => {
  const { apply, kubectl, namespace } = await testCluster(t, { hollow: true });
  const { gitVersion } = (
    JSON.parse(await kubectl('version', '--output=json')) as { serverVersion: { gitVersion: string } }
  ).serverVersion;
  const manifests = await manifestsOf({ ...ALL, sessions: { ...ALL.sessions, namespace: '' } }, gitVersion);
  const items = [...manifests.values()].map(each => ({ ...each, metadata: { ...each.metadata, namespace } }));
  await apply(JSON.stringify({ apiVersion: 'v1', kind: 'List', items }), '--dry-run=server');
  t.ok(items.length > 10);
});

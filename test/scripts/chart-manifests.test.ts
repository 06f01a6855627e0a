/** What Helm makes of the chart, without a cluster. */
import { cp, readFile, writeFile } from 'node:fs/promises';
import t from 'tap';
import { CHART, helm, renderChart } from '../../scripts/lib/helm.js';
import { parseConfig } from '../../src/server/config/index.js';
import { chartValues, IMAGES, manifestsIn, manifestsOf, settingsOf } from '../fixtures/kubernetes/chart.js';

const PLAIN = 'deploy/manifests';
const LEVEL = 'pod-security.kubernetes.io/enforce';

t.test('Helm finds nothing wrong with the chart, its schema included', async t => {
  const said = await helm(['lint', '--strict', CHART, '--values', '-'], JSON.stringify(chartValues()));
  t.match(said, /1 chart\(s\) linted, 0 chart\(s\) failed/);
  t.notMatch(said, /WARNING|ERROR/);

  // What Ajv knows, and Helm does not.
  const chart = `${t.testdir()}/chart`;
  await cp(CHART, chart, { recursive: true });
  const schema = await readFile(`${chart}/values.schema.json`, 'utf8');
  const changed = schema.replace('"^BERTH_[A-Z0-9_]+$"', '"^BERTH_(?!X)[A-Z0-9_]+$"');
  t.not(changed, schema);
  await writeFile(`${chart}/values.schema.json`, changed);
  await t.rejects(helm(['lint', chart, '--values', '-'], JSON.stringify(chartValues())), { message: /regex/ });
});

t.test('Helm refuses values that the schema does', async t => {
  const refused: [object, RegExp][] = [
    [{ sessions: { images: { ...IMAGES, chromium: 'chromium:latest' } } }, /\/sessions\/images\/chromium/],
    [{ image: { repository: 'x', tag: '' } }, /\/image/],
    [{ replicas: 2 }, /replicas/],
  ];
  for (const [values, message] of refused) await t.rejects(manifestsOf(values), { message });
});

t.test('by default there is all that a service needs, and nothing that takes more than the cluster has', async t => {
  const manifests = await manifestsOf();
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
  t.same(manifests.get('Role release')?.rules, [
    { apiGroups: [''], resources: ['pods'], verbs: ['create', 'delete', 'get', 'list', 'patch', 'watch'] },
    { apiGroups: ['networking.k8s.io'], resources: ['networkpolicies'], verbs: ['create', 'delete', 'get', 'update'] },
  ]);
  t.equal(manifests.get('Namespace berth-sessions')?.metadata.labels?.[LEVEL], 'restricted');
});

t.test('what the service is told is valid, and what the values say', async t => {
  const manifests = await manifestsOf({
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
  t.equal(manifests.get('Namespace berth-sessions')?.metadata.labels?.[LEVEL], 'privileged');
  t.same(manifests.get('DaemonSet release-seccomp')?.spec.template.spec.nodeSelector, { pool: 'berth' });
});

t.test('manifests are for the clusters of today, unless an older one is named', async t => {
  const values = { ingress: { enabled: true, host: 'berth.example' } };
  const [now, old] = [await manifestsOf(values), await manifestsOf(values, '1.20')];
  t.equal(now.get('PodDisruptionBudget release')?.apiVersion, 'policy/v1');
  t.equal(old.get('PodDisruptionBudget release')?.apiVersion, 'policy/v1beta1');
  for (const each of [now, old]) {
    t.equal(each.get('Ingress release')?.apiVersion, 'networking.k8s.io/v1');
    t.equal(each.get('Ingress release')?.spec.rules[0].http.paths[0].backend.service.name, 'release');
  }
});

t.test('what is optional is there where it is asked for', async t => {
  const manifests = await manifestsOf({
    httpRoute: { enabled: true, host: 'berth.example', parentRefs: [{ name: 'gateway' }] },
    serviceMonitor: { enabled: true, apiKeySecret: { name: 'metrics' } },
    persistence: { existingClaim: 'mine' },
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

t.test('metrics are read with an API key, or by everybody, or values are refused', async t => {
  const serviceMonitor = { enabled: true };
  await t.rejects(manifestsOf({ serviceMonitor }), {
    message:
      /serviceMonitor\.enabled: \/metrics wants an API key; name a secret .* or set settings\.BERTH_METRICS_OPEN/,
  });
  const endpoint = async (values: object) =>
    (await manifestsOf(values)).get('ServiceMonitor release')?.spec.endpoints[0] as object;
  const open = await endpoint({ serviceMonitor, settings: { BERTH_METRICS_OPEN: 'true' } });
  t.notOk('authorization' in open);
  t.match(await endpoint({ serviceMonitor: { ...serviceMonitor, apiKeySecret: { name: 'metrics' } } }), {
    path: '/metrics',
    authorization: { credentials: { name: 'metrics', key: 'api-key' } },
  });
});

t.test('values by which a Pod of the service would take what must last with it are refused', async t => {
  const persistence = { enabled: false };
  const existingSecret = 'settings';
  const settings = { BERTH_PROFILE_S3_BUCKET: 'profiles' };
  const refused: [object, RegExp][] = [
    [
      { persistence },
      /persistence\.enabled: without a volume the database and all keys would be lost .* existingSecret/,
    ],
    [{ persistence, existingSecret }, /without a volume profiles would be lost [^]* settings\.BERTH_PROFILE_S3_BUCKET/],
    [
      { persistence, existingSecret, settings: { ...settings, BERTH_DATABASE_URL: 'sqlite:/data/a' } },
      /settings\.BERTH_DATABASE_URL: without a volume it must be in the secret/,
    ],
    [
      { settings: { BERTH_DATABASE_URL: 'sqlite:/tmp/a' } },
      /settings\.BERTH_DATABASE_URL: sqlite:\/tmp\/a is in no volume/,
    ],
    [{ settings: { BERTH_DATABASE_URL: 'sqlite:/data/../a' } }, /settings\.BERTH_DATABASE_URL: .* is in no volume/],
    [{ settings: { BERTH_PROFILE_DIR: '/tmp' } }, /settings\.BERTH_PROFILE_DIR: \/tmp is in no volume/],
  ];
  for (const [values, message] of refused) await t.rejects(manifestsOf(values), { message });
  const accepted = { settings: { BERTH_DATABASE_URL: 'sqlite:/data/a', BERTH_PROFILE_DIR: '/data/profiles' } };
  t.ok((await manifestsOf(accepted)).has('PersistentVolumeClaim release'));

  const manifests = await manifestsOf({ persistence, existingSecret, settings });
  t.notOk(manifests.has('PersistentVolumeClaim release'));
  const { containers, volumes } = manifests.get('Deployment release')?.spec.template.spec;
  const fromSecret = (containers[0].env as { name: string; valueFrom?: object }[]).filter(each => each.valueFrom);
  t.same(
    fromSecret,
    ['BERTH_DATABASE_URL', 'BERTH_SECRETS', 'BERTH_API_KEYS', 'BERTH_WEBHOOK_SECRET'].map(name => ({
      name,
      valueFrom: { secretKeyRef: { name: existingSecret, key: name } },
    })),
    'a secret that lacks one keeps the container from starting',
  );
  t.same(volumes[0], { name: 'data', emptyDir: {} });
});

t.test('certificates of own authorities come from a ConfigMap', async t => {
  const manifests = await manifestsOf({ caCertificates: { configMap: 'company', keys: ['root.pem', 'other.pem'] } });
  const { containers, volumes } = manifests.get('Deployment release')?.spec.template.spec;
  t.match(containers[0].volumeMounts.at(-1), { name: 'ca', mountPath: '/etc/berth/ca', readOnly: true });
  t.same(volumes.at(-1), { name: 'ca', configMap: { name: 'company' } });
  const { value } = (containers[0].env as { name: string; value?: string }[]).find(
    ({ name }) => name === 'BERTH_CA_FILES',
  ) ?? { value: undefined };
  t.equal(value, '/etc/berth/ca/root.pem,/etc/berth/ca/other.pem');
});

t.test('what installs the system call filter sees no other folder of a node', async t => {
  const { volumes } = (await manifestsOf()).get('DaemonSet release-seccomp')?.spec.template.spec;
  t.same(volumes, [{ name: 'seccomp', hostPath: { path: '/var/lib/kubelet/seccomp', type: 'DirectoryOrCreate' } }]);
});

t.test('names that look like numbers stay names', async t => {
  const values = chartValues({
    nameOverride: '12',
    existingSecret: '34',
    sessions: { images: IMAGES, namespace: '123', pullSecrets: ['1e3'] },
    persistence: { existingClaim: '56' },
  });
  const manifests = manifestsIn(await renderChart({ name: '78', namespace: '90', values: JSON.stringify(values) }));
  for (const { kind, metadata } of manifests) {
    t.type(metadata.name, 'string', kind);
    if (kind !== 'Namespace') t.ok(metadata.namespace === '90' || metadata.namespace === '123', kind);
    t.same(
      Object.values(metadata.labels ?? {}).filter(value => typeof value !== 'string'),
      [],
      kind,
    );
  }
  t.ok(manifests.some(({ kind, metadata }) => kind === 'Namespace' && metadata.name === '123'));
  const { spec } = manifests.find(({ kind }) => kind === 'Deployment')?.spec.template;
  t.match(spec, {
    serviceAccountName: '12',
    containers: [{ envFrom: [{ secretRef: { name: '34' } }] }],
    volumes: [{ persistentVolumeClaim: { claimName: '56' } }, {}],
  });
});

t.test('a setting that the chart sets itself is not set twice', async t => {
  await t.rejects(manifestsOf({ settings: { BERTH_KUBERNETES_GRACE: '30' } }), {
    message: /settings\.BERTH_KUBERNETES_GRACE: the chart sets it itself, by another of its values/,
  });
});

t.test('the plain manifests are those of the chart, and name a namespace for all that has one', async t => {
  const values = await readFile(`${PLAIN}/values.yaml`, 'utf8');
  const plain = manifestsIn(await readFile(`${PLAIN}/berth.yaml`, 'utf8'));
  t.same(plain, manifestsIn(await renderChart({ name: 'berth', namespace: 'berth', values })), 'make manifests');
  const homeless = plain.filter(({ kind, metadata }) => kind !== 'Namespace' && metadata.namespace === undefined);
  t.same(homeless, []);
});

import t from 'tap';
import { COMMON_PREPARATION } from '../../../src/protocol/preparation.js';
import { parseConfig } from '../../../src/server/config/index.js';
import type { ContainerRequest } from '../../../src/server/engines/engine.js';
import { namesOf } from '../../../src/server/engines/kubernetes/names.js';
import { podSpec, type PodSettings } from '../../../src/server/engines/kubernetes/pod-spec.js';

const IMAGES =
  'chromium=registry.example:5000/berth/chromium:0.1.0-2c4f62a409aa,' +
  `console=registry.example/berth/console@sha256:${'0a'.repeat(32)}`;

const request: ContainerRequest = { sessionId: 'Abc-_Abc-_Abc-_Abc-_aA', kind: 'chromium', linkSecret: 'the secret' };

/** Settings as they come of an environment. */
function settings(env: Record<string, string> = {}, more: Partial<PodSettings> = {}): PodSettings {
  const config = parseConfig(
    { BERTH_REGIONS: 'EU=kubernetes:west', BERTH_KUBERNETES_IMAGES: IMAGES, ...env },
    process.cwd(),
  );
  const address = config.regions.get('EU');
  if (address?.transport !== 'kubernetes' || config.kubernetes === null) throw new Error('not on Kubernetes');
  return {
    ...config,
    names: namesOf('berth', '_store-'),
    kubernetes: config.kubernetes,
    nodes: address.nodes,
    filter: null,
    canary: null,
    ...more,
  };
}

/** Every value behind a key, wherever it stands. */
function valuesOf(value: unknown, key: string): unknown[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, each]) => (name === key ? [each] : valuesOf(each, key)));
}

t.test('a Pod of a session has no rights, no credentials and nothing to write to but memory', async t => {
  const { spec } = podSpec(request, settings());
  t.match(spec, {
    restartPolicy: 'Never',
    automountServiceAccountToken: false,
    enableServiceLinks: false,
    securityContext: {
      runAsNonRoot: true,
      runAsUser: 1000,
      runAsGroup: 1000,
      seccompProfile: { type: 'Localhost', localhostProfile: 'berth/session.json' },
    },
  });
  t.equal(spec?.containers.length, 1);
  t.same(spec?.containers[0]?.securityContext, {
    allowPrivilegeEscalation: false,
    privileged: false,
    readOnlyRootFilesystem: true,
    capabilities: { drop: ['ALL'] },
  });
  for (const key of [
    'hostNetwork',
    'hostPID',
    'hostIPC',
    'hostPath',
    'serviceAccountName',
    'initContainers',
    'hostUsers',
  ])
    t.same(valuesOf(spec, key), [], key);
  t.ok(
    spec?.volumes?.every(({ emptyDir }) => emptyDir?.medium === 'Memory' && /^\d+Mi$/.test(emptyDir.sizeLimit ?? '')),
  );
  t.same(
    spec?.containers[0]?.volumeMounts?.map(({ mountPath }) => mountPath),
    ['/dev/shm', '/tmp', '/run', '/home'],
  );
});

t.test('what is given to a Pod of the API fits its rules', async t => {
  const { metadata } = podSpec({ ...request, warmedBy: '_replica-' }, settings());
  t.match(metadata?.name, /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/);
  t.notMatch(metadata?.name ?? '', request.sessionId.toLowerCase());
  for (const [key, value] of Object.entries(metadata?.labels ?? {}))
    t.match(value, /^[A-Za-z0-9]([A-Za-z0-9._-]{0,61}[A-Za-z0-9])?$/, key);
  t.match(metadata?.labels, { 'berth.session': request.sessionId, 'berth.role': 'session', 'berth.kind': 'chromium' });
  t.match(metadata?.annotations, { 'berth.store': '_store-', 'berth.made-ahead-by': '_replica-' });
});

t.test('a session is left alone by what keeps clusters tidy, a Pod of the warm pool is not', async t => {
  const stay = { 'cluster-autoscaler.kubernetes.io/safe-to-evict': 'false', 'karpenter.sh/do-not-disrupt': 'true' };
  t.match(podSpec(request, settings()).metadata?.annotations, stay);
  const ahead = podSpec({ ...request, warmedBy: 'replica' }, settings()).metadata?.annotations;
  for (const key of Object.keys(stay)) t.notHas(ahead, key);
});

t.test('images have a version or a digest, and are pulled with the secrets given', async t => {
  const spec = podSpec(request, settings({ BERTH_KUBERNETES_PULL_SECRETS: 'one,two' })).spec;
  t.equal(spec?.containers[0]?.image, 'registry.example:5000/berth/chromium:0.1.0-2c4f62a409aa');
  t.equal(spec?.containers[0]?.imagePullPolicy, 'IfNotPresent');
  t.same(spec?.imagePullSecrets, [{ name: 'one' }, { name: 'two' }]);
  t.match(podSpec({ ...request, kind: 'ps1' }, settings()).spec?.containers[0]?.image, /console@sha256:(0a){32}$/);
});

t.test('what a node must have left is less than what a session may use', async t => {
  const env = { BERTH_SESSION_MEMORY_MB: '1024', BERTH_SESSION_CPUS: '1.5', BERTH_ROM_MAX_MB: '100' };
  const resources = (kind: 'chromium' | 'nes', more = {}) =>
    podSpec({ ...request, kind }, settings({ ...env, ...more })).spec?.containers[0]?.resources;
  t.same(resources('chromium'), {
    requests: { cpu: '250m', memory: '512Mi' },
    limits: { cpu: '1500m', memory: '1024Mi' },
  });
  t.match(resources('nes'), { limits: { memory: '1245Mi' } }, 'with room for the game');
  const requests = { BERTH_KUBERNETES_REQUEST_CPUS: '4', BERTH_KUBERNETES_REQUEST_MEMORY_MB: '4096' };
  t.match(
    resources('chromium', requests),
    { requests: { cpu: '1500m', memory: '1024Mi' } },
    'never more than the limit',
  );
});

t.test('a console has room for its game', async t => {
  const spec = podSpec({ ...request, kind: 'n64' }, settings({ BERTH_ROM_MAX_MB: '100' })).spec;
  t.match(
    spec?.volumes?.find(({ name }) => name === 'game'),
    { emptyDir: { sizeLimit: '221Mi' } },
  );
  t.ok(spec?.containers[0]?.volumeMounts?.some(({ mountPath }) => mountPath === '/rom'));
});

t.test('runtime, users, system call filter and AppArmor are by configuration', async t => {
  const { metadata, spec } = podSpec(
    request,
    settings({
      BERTH_RUNTIME: 'gvisor',
      BERTH_APPARMOR: 'berth-session',
      BERTH_KUBERNETES_HOST_USERS: 'false',
      BERTH_KUBERNETES_SECCOMP: 'RuntimeDefault',
    }),
  );
  t.match(spec, { runtimeClassName: 'gvisor', hostUsers: false });
  t.same(spec?.securityContext?.seccompProfile, { type: 'RuntimeDefault' });
  t.same(spec?.containers[0]?.securityContext?.appArmorProfile, {
    type: 'Localhost',
    localhostProfile: 'berth-session',
  });
  t.match(metadata?.annotations, {
    'container.apparmor.security.beta.kubernetes.io/session': 'localhost/berth-session',
  });
  t.notHas(podSpec(request, settings()).spec, 'runtimeClassName');
});

t.test('where it runs is by labels of nodes and tolerations, and it leaves a node that is lost', async t => {
  const { metadata, spec } = podSpec(
    request,
    settings({
      BERTH_KUBERNETES_NODES: 'EU=pool=berth,NA=pool=other,EU=topology.kubernetes.io/zone=b',
      BERTH_KUBERNETES_TOLERATIONS: '[{"key":"berth","operator":"Exists","effect":"NoSchedule"}]',
      BERTH_KUBERNETES_ANNOTATIONS: '{"example.com/team":"web, and more"}',
    }),
  );
  t.same(spec?.nodeSelector, { pool: 'berth', 'topology.kubernetes.io/zone': 'b' });
  t.same(spec?.tolerations, [
    { key: 'berth', operator: 'Exists', effect: 'NoSchedule' },
    { key: 'node.kubernetes.io/not-ready', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 0 },
    { key: 'node.kubernetes.io/unreachable', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 0 },
  ]);
  t.equal(metadata?.annotations?.['example.com/team'], 'web, and more');
});

t.test('a Pod that is told to go lives on until its profile is saved, within its grace', async t => {
  const { spec } = podSpec(request, settings({ BERTH_KUBERNETES_GRACE: '90' }));
  t.equal(spec?.terminationGracePeriodSeconds, 90);
  t.same(spec?.containers[0]?.lifecycle, { preStop: { exec: { command: ['sleep', '88'] } } });
});

t.test('each session tries an address that must be closed to it', async t => {
  const env = (more: Partial<PodSettings>) => podSpec(request, settings({}, more)).spec?.containers[0]?.env;
  t.same(
    env({ canary: '10.0.0.9:7001' })?.find(({ name }) => name === 'BERTH_CANARY'),
    { name: 'BERTH_CANARY', value: '10.0.0.9:7001' },
  );
  t.notOk(env({})?.some(({ name }) => name === 'BERTH_CANARY'));
});

t.test('a Pod that waits is told what to prepare', async t => {
  const prepares = (more: Partial<ContainerRequest>) =>
    podSpec({ ...request, ...more }, settings()).spec?.containers[0]?.env?.filter(
      ({ name }) => name === 'BERTH_PREPARE',
    );
  t.same(prepares({ preparation: COMMON_PREPARATION }), [
    { name: 'BERTH_PREPARE', value: JSON.stringify(COMMON_PREPARATION) },
  ]);
  t.same(prepares({}), [], 'and no other');
});

t.test('a Pod is told whom its browser trusts besides the usual authorities', async t => {
  const { spec } = podSpec(request, settings({}, { caCertificates: ['AAAA', 'BBBB'] }));
  t.same(spec?.containers[0]?.env?.at(-1), { name: 'BERTH_CA_CERTIFICATES', value: 'AAAA,BBBB' });
});

t.test('with a filter one container that ends before the agent has one right', async t => {
  const { spec } = podSpec(request, settings({}, { filter: 'the script' }));
  t.equal(spec?.initContainers?.length, 1);
  t.match(spec?.initContainers?.[0], {
    command: ['/bin/sh', '-c', 'the script'],
    securityContext: { runAsUser: 0, capabilities: { drop: ['ALL'], add: ['NET_ADMIN', 'NET_RAW'] } },
  });
  t.notHas(spec?.initContainers?.[0], 'env', 'it does not know the secret');
  t.notHas(spec?.containers[0]?.securityContext?.capabilities, 'add');
});

const ANDROID = {
  BERTH_KUBERNETES_IMAGES: `${IMAGES},android=registry.example/berth/android:0.1.0`,
  BERTH_KUBERNETES_KVM_RESOURCE: 'devices.kubevirt.io/kvm',
  BERTH_KUBERNETES_ANDROID_NODES: 'pool=android,zone=b',
};

t.test(
  'an emulator gets the device for virtual machines as a resource of the node, limits and a volume of its own',
  async t => {
    const android: ContainerRequest = { ...request, kind: 'android' };
    const own = { BERTH_ANDROID_MEMORY_MB: '5000', BERTH_ANDROID_CPUS: '3', BERTH_ANDROID_DISK_MB: '4000' };
    const { spec } = podSpec(android, settings({ ...ANDROID, ...own, BERTH_ANDROID_KVM_GROUP: '36' }));
    const [container] = spec?.containers ?? [];
    t.equal(container?.image, 'registry.example/berth/android:0.1.0');
    t.same(container?.resources?.limits, { cpu: '3000m', memory: '5000Mi', 'devices.kubevirt.io/kvm': '1' });
    t.same(spec?.nodeSelector, { pool: 'android', zone: 'b' });
    t.same(spec?.securityContext?.supplementalGroups, [36]);
    t.same(
      spec?.volumes?.find(({ name }) => name === 'avd'),
      { name: 'avd', emptyDir: { sizeLimit: '9024Mi' } },
    );
    t.match(
      container?.volumeMounts?.find(({ name }) => name === 'avd'),
      { mountPath: '/avd' },
    );
    t.same(valuesOf(spec, 'privileged'), [false]);
    t.same(valuesOf(spec, 'hostPath'), [], 'nothing of the node is mounted');
  },
);

t.test('its nodes are those of the region too, and other sessions are not among them', async t => {
  const env = { ...ANDROID, BERTH_KUBERNETES_NODES: 'EU=zone=a,EU=arch=amd64' };
  const android = podSpec({ ...request, kind: 'android' }, settings(env)).spec;
  t.same(android?.nodeSelector, { zone: 'b', arch: 'amd64', pool: 'android' });
  t.equal(android?.securityContext?.supplementalGroups, undefined, 'where everybody may use the device');
  const chromium = podSpec(request, settings(env)).spec;
  t.same(chromium?.nodeSelector, { zone: 'a', arch: 'amd64' });
  t.equal(chromium?.containers[0]?.resources?.limits?.['devices.kubevirt.io/kvm'], undefined);
});

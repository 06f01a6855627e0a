import t from 'tap';
import { parseConfig } from '../../../src/server/config/index.js';

const IMAGES = `chromium=berth/chromium:1.0,console=berth/console@sha256:${'0'.repeat(64)}`;
const parse = (env: Record<string, string>) =>
  parseConfig({ BERTH_REGIONS: 'NA=kubernetes:', BERTH_KUBERNETES_IMAGES: IMAGES, ...env }, process.cwd());

t.test('without a region on Kubernetes nothing is asked for', async t => {
  t.equal(parseConfig({}, process.cwd()).kubernetes, null);
});

t.test('regions are clusters, parts of clusters, or both', async t => {
  const { regions } = parse({
    BERTH_REGIONS: 'NA=kubernetes:,EU=kubernetes:west@example,AS=unix:///var/run/docker.sock',
    BERTH_KUBERNETES_NODES: 'EU=pool=berth,EU=zone=',
  });
  t.same(regions.get('NA'), { transport: 'kubernetes', context: null, nodes: {}, text: 'kubernetes:' });
  t.same(regions.get('EU'), {
    transport: 'kubernetes',
    context: 'west@example',
    nodes: { pool: 'berth', zone: '' },
    text: 'kubernetes:west@example pool=berth zone=',
  });
  t.equal(regions.get('AS')?.transport, 'unix');
});

t.test('defaults', async t => {
  t.same(parse({}).kubernetes, {
    namespace: 'berth-sessions',
    android: { resource: null, nodes: {} },
    images: { chromium: 'berth/chromium:1.0', console: `berth/console@sha256:${'0'.repeat(64)}` },
    pullSecrets: [],
    seccomp: { type: 'Localhost', path: 'berth/session.json' },
    hostUsers: true,
    tolerations: [],
    annotations: {},
    requests: { cpus: 0.25, memoryMb: 512 },
    egress: 'policy',
    nameServers: [],
    ownNamespace: null,
    reach: 'port-forward',
    graceS: 60,
  });
});

t.test('what is wrong is named', async t => {
  const wrong: [env: Record<string, string>, message: RegExp][] = [
    [{ BERTH_KUBERNETES_IMAGES: '' }, /^BERTH_KUBERNETES_IMAGES must name the image of chromium/],
    [{ BERTH_KUBERNETES_IMAGES: 'chromium=berth/chromium:1.0' }, /must name the image of console/],
    [{ BERTH_KUBERNETES_IMAGES: 'chromium=berth/chromium:latest' }, /other than latest .* holds "chromium=berth/],
    [{ BERTH_KUBERNETES_IMAGES: 'chromium=berth/chromium' }, /^BERTH_KUBERNETES_IMAGES must be like/],
    [{ BERTH_KUBERNETES_IMAGES: 'chromium=registry:5000/chromium' }, /^BERTH_KUBERNETES_IMAGES must be like/],
    [{ BERTH_KUBERNETES_IMAGES: 'chrome=berth/chrome:1' }, /^BERTH_KUBERNETES_IMAGES must be like/],
    [{ BERTH_KUBERNETES_KVM_RESOURCE: 'kvm' }, /^BERTH_KUBERNETES_KVM_RESOURCE must be .* is "kvm"/],
    [{ BERTH_KUBERNETES_KVM_RESOURCE: 'devices.kubevirt.io/kvm' }, /must name the image of android/],
    [{ BERTH_KUBERNETES_ANDROID_NODES: 'pool=android' }, /needs BERTH_KUBERNETES_KVM_RESOURCE/],
    [{ BERTH_KUBERNETES_ANDROID_NODES: 'pool' }, /^BERTH_KUBERNETES_ANDROID_NODES must be like .* holds "pool"/],
    [{ BERTH_KUBERNETES_NAMESPACE: 'Berth' }, /^BERTH_KUBERNETES_NAMESPACE must be/],
    [{ BERTH_KUBERNETES_NODES: 'NA=pool' }, /^BERTH_KUBERNETES_NODES must be like .* holds "NA=pool"/],
    [{ BERTH_KUBERNETES_NODES: 'NA=pool=a b' }, /^BERTH_KUBERNETES_NODES must be like/],
    [{ BERTH_KUBERNETES_NAME_SERVERS: '10.0.0.2,dns' }, /^BERTH_KUBERNETES_NAME_SERVERS must .* holds "dns"/],
    [{ BERTH_KUBERNETES_PULL_SECRETS: 'Secret' }, /^BERTH_KUBERNETES_PULL_SECRETS must hold/],
    [{ BERTH_KUBERNETES_SECCOMP: 'Localhost/../x' }, /^BERTH_KUBERNETES_SECCOMP must be/],
    [{ BERTH_KUBERNETES_SECCOMP: 'off' }, /^BERTH_KUBERNETES_SECCOMP must be/],
    [{ BERTH_KUBERNETES_HOST_USERS: 'no' }, /^BERTH_KUBERNETES_HOST_USERS must be one of/],
    [{ BERTH_KUBERNETES_TOLERATIONS: '{' }, /^BERTH_KUBERNETES_TOLERATIONS must be .* no JSON/],
    [{ BERTH_KUBERNETES_TOLERATIONS: '[{"keys":"x"}]' }, /^BERTH_KUBERNETES_TOLERATIONS must be/],
    [{ BERTH_KUBERNETES_TOLERATIONS: '[{"key":"x","effect":"no"}]' }, /^BERTH_KUBERNETES_TOLERATIONS must be/],
    [{ BERTH_KUBERNETES_ANNOTATIONS: '["x"]' }, /^BERTH_KUBERNETES_ANNOTATIONS must be/],
    [{ BERTH_KUBERNETES_ANNOTATIONS: '{"x":1}' }, /^BERTH_KUBERNETES_ANNOTATIONS must be/],
    [{ BERTH_KUBERNETES_REQUEST_CPUS: '0' }, /^BERTH_KUBERNETES_REQUEST_CPUS must be a number/],
    [{ BERTH_KUBERNETES_REQUEST_MEMORY_MB: '1' }, /^BERTH_KUBERNETES_REQUEST_MEMORY_MB must be/],
    [{ BERTH_KUBERNETES_EGRESS: 'open' }, /^BERTH_KUBERNETES_EGRESS must be one of policy, filter/],
    [{ BERTH_KUBERNETES_REACH: 'node' }, /^BERTH_KUBERNETES_REACH must be one of pod, port-forward/],
    [{ BERTH_KUBERNETES_GRACE: '4' }, /^BERTH_KUBERNETES_GRACE must be/],
    [{ BERTH_INSTANCE: 'berth-' }, /^BERTH_INSTANCE must not end with a dash/],
    [{ BERTH_GPU: '/dev/dri/renderD128' }, /^BERTH_GPU must not be set/],
    [{ BERTH_PS1_BIOS_DIR: '/bios' }, /^BERTH_PS1_BIOS_DIR must not be set/],
    [{ BERTH_REGIONS: 'NA=kubernetes' }, /^BERTH_REGIONS must be like/],
  ];
  for (const [env, message] of wrong) t.throws(() => parse(env), { name: 'ConfigError', message }, JSON.stringify(env));
});

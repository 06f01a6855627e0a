/** What the Helm chart says of the service agrees with the service. */
import { Ajv } from 'ajv';
import { readdir, readFile } from 'node:fs/promises';
import t from 'tap';
import { parse } from 'yaml';
import { parseConfig } from '../../src/server/config/config.js';

const CHART = 'deploy/helm/berth';
const schema = JSON.parse(await readFile(`${CHART}/values.schema.json`, 'utf8')) as object;
const validate = new Ajv({ strict: true, strictTypes: false, strictRequired: false }).compile(schema);
const defaults = parse(await readFile(`${CHART}/values.yaml`, 'utf8')) as Values;

interface Values {
  image: Record<string, unknown>;
  sessions: Record<string, unknown> & { images: Record<string, string> };
  [name: string]: unknown;
}

const IMAGES = {
  chromium: 'registry.example/chromium:0.1.0-a',
  console: `registry.example/console@sha256:${'0'.repeat(64)}`,
};

/** What an operator must give, with some of it changed. */
const values = (changes: Record<string, unknown> = {}): Values => ({
  ...defaults,
  image: { ...defaults.image, repository: 'registry.example/service', tag: '0.1.0' },
  sessions: { ...defaults.sessions, images: IMAGES },
  ...changes,
});
const sessions = (changes: Record<string, unknown>) => values({ sessions: { ...values().sessions, ...changes } });

t.test('the values have everything but the images', async t => {
  t.equal(validate(defaults), false);
  t.ok(validate(values()), JSON.stringify(validate.errors));
});

t.test('the schema accepts what the service does, and refuses what it refuses', async t => {
  const right = [
    values({ image: { repository: 'x.example/y', digest: `sha256:${'a'.repeat(64)}` } }),
    sessions({ egress: 'filter', egressAllow: ['10.1.0.0/16', '10.9.9.9'], namespace: '' }),
    sessions({ quota: { pods: 10, requestsCpu: '8', requestsMemory: null } }),
    values({ ingress: { enabled: true, host: 'berth.example' } }),
    values({ ingress: { enabled: true, host: 'example.com', path: '/berth' } }),
    values({ settings: { BERTH_MAX_SESSIONS: '100' } }),
    sessions({
      images: { ...IMAGES, android: 'registry.example/android:0.1.0' },
      android: { kvmResource: 'devices.kubevirt.io/kvm', nodeSelector: { pool: 'android' } },
    }),
  ];
  for (const each of right) t.ok(validate(each), JSON.stringify(validate.errors));
  const wrong: [values: Values, path: string][] = [
    [values({ image: { repository: 'x', tag: 'latest' } }), '/image/tag'],
    [values({ image: { repository: 'x' } }), '/image'],
    [sessions({ images: { ...IMAGES, chromium: 'chromium:latest' } }), '/sessions/images/chromium'],
    [sessions({ images: { ...IMAGES, chromium: 'chromium' } }), '/sessions/images/chromium'],
    [sessions({ images: { ...IMAGES, android: 'android' } }), '/sessions/images/android'],
    [sessions({ android: { kvmResource: 'kvm' } }), '/sessions/android/kvmResource'],
    [sessions({ egress: 'none' }), '/sessions/egress'],
    [sessions({ seccomp: 'off' }), '/sessions/seccomp'],
    [sessions({ graceSeconds: 4 }), '/sessions/graceSeconds'],
    [sessions({ egressAllow: ['example.com'] }), '/sessions/egressAllow/0'],
    [values({ settings: { BERTH_MAX_SESSIONS: 100 } }), '/settings/BERTH_MAX_SESSIONS'],
    [values({ ingress: { enabled: true } }), '/ingress'],
    [values({ ingress: { path: 'berth' } }), '/ingress/path'],
    [values({ httpRoute: { enabled: true, parentRefs: [] } }), '/httpRoute/parentRefs'],
    [values({ replicas: 2 }), ''],
  ];
  for (const [each, path] of wrong) {
    t.equal(validate(each), false, path);
    t.ok(
      validate.errors?.some(({ instancePath }) => instancePath === path),
      `${path}: ${JSON.stringify(validate.errors)}`,
    );
  }
});

t.test('templates set settings that the service reads, and use values that there are', async t => {
  const seen = new Set<string>();
  const env = { BERTH_REGIONS: 'NA=kubernetes:', BERTH_KUBERNETES_IMAGES: `chromium=c:1.0,console=c:1.0` };
  const watched = new Proxy<Record<string, string>>(env, {
    get: (target, name) => (seen.add(String(name)), target[String(name)]),
  });
  parseConfig(watched, '/');
  const files = (await readdir(`${CHART}/templates`)).map(name => readFile(`${CHART}/templates/${name}`, 'utf8'));
  const text = (await Promise.all(files)).join('\n');
  const set = [...text.matchAll(/^(BERTH_\w+):/gm)].map(([, name = '']) => name);
  t.ok(set.length > 10);
  for (const name of set) t.ok(seen.has(name), name);
  for (const [, path = ''] of text.matchAll(/\.Values\.([\w.]+)/g)) {
    const value = path.split('.').reduce<unknown>((found, key) => (found as Values | undefined)?.[key], defaults);
    if (path !== 'nameOverride') t.not(value, undefined, path);
  }
});

import { chmodSync, truncateSync, writeFileSync } from 'node:fs';
import t from 'tap';
import { parseConfig } from '../../../src/server/config/config.js';
import { ConfigError } from '../../../src/server/config/environment.js';
import { findGpu } from '../../../src/server/config/gpu.js';

t.test('everything has a default', async t => {
  const config = parseConfig({}, '/srv');
  t.equal(config.host, '127.0.0.1');
  t.equal(config.port, 8080);
  t.same(config.viewerLimits, { viewersPerSession: 500, viewersPerAddress: 200 });
  t.same(config.database, { client: 'sqlite', filename: '/srv/.berth/berth.sqlite' });
  t.same(
    [...config.regions],
    [['NA', { transport: 'unix', path: '/var/run/docker.sock', text: 'unix:///var/run/docker.sock' }]],
  );
  t.same(config.egress, { mode: 'private', allow: [] });
  t.same(config.auditLog, { to: 'stdout' });
  t.equal(config.warmBrowser, true);
  t.ok(Object.isFrozen(config));
});

t.test('settings are read', async t => {
  const config = parseConfig(
    {
      BERTH_PUBLIC_URL: 'https://berth.example.com',
      BERTH_API_KEYS: 'first-key-of-the-service, second-key-of-the-service',
      BERTH_DATABASE_URL: 'postgres://user:word@db.example/berth',
      BERTH_REGIONS: 'NA=unix:///run/docker.sock,EU=tcp://docker.example:2376,AS=tcp://127.0.0.1',
      BERTH_DOCKER_PLAIN_TCP: 'true',
      BERTH_AGENT_ADDRESSES: 'EU=10.0.0.7',
      BERTH_EGRESS_ALLOW: '10.1.2.0/24, 10.9.9.9',
      BERTH_SESSION_CPUS: '1.5',
      BERTH_APPARMOR: 'berth-session',
      BERTH_RUNTIME: 'runsc',
      BERTH_START_TIMEOUT: '2.5',
      BERTH_TRUST_PROXY: 'loopback',
      BERTH_WEBHOOK_HEADER_PREFIX: 'X-Acme',
      BERTH_WEBHOOK_PRIVATE: 'false',
      BERTH_ROM_DOWNLOADS: '3',
      BERTH_WARM_BROWSER: 'false',
      BERTH_TIMEZONE: 'europe/berlin',
    },
    '/srv',
  );
  t.equal(config.publicUrl, 'https://berth.example.com');
  const { publicUrl } = parseConfig({ BERTH_PUBLIC_URL: 'https://Example.com:443/tools/berth/' }, '/srv');
  t.equal(publicUrl, 'https://example.com/tools/berth');
  t.same(config.apiKeys, ['first-key-of-the-service', 'second-key-of-the-service']);
  t.same(config.database, { client: 'postgres', url: 'postgres://user:word@db.example/berth' });
  t.match(config.regions.get('EU'), {
    transport: 'tcp',
    host: 'docker.example',
    port: 2376,
    tls: null,
    agents: '10.0.0.7',
  });
  t.match(config.regions.get('AS'), { host: '127.0.0.1', port: 2375, agents: null });
  t.same(config.egress, { mode: 'private', allow: ['10.1.2.0/24', '10.9.9.9/32'] });
  t.equal(config.limits.cpus, 1.5);
  t.same([config.apparmor, config.runtime], ['berth-session', 'runsc']);
  t.equal(config.startTimeoutMs, 2500);
  t.equal(config.trustProxy, 'loopback');
  t.equal(config.timezone, 'Europe/Berlin', 'as its file is spelled');
  t.equal(config.webhookHeaderPrefix, 'X-Acme');
  t.equal(config.webhookPrivate, false);
  t.equal(config.roms.downloads, 3);
  t.equal(config.warmBrowser, false);
});

t.test('the audit log goes to a file, to standard output, or nowhere', async t => {
  const to = (BERTH_AUDIT_LOG: string) => parseConfig({ BERTH_AUDIT_LOG }, '/srv').auditLog;
  t.same(to('/var/log/audit.log'), { to: 'file', path: '/var/log/audit.log' });
  t.same(to('./audit.log'), { to: 'file', path: '/srv/audit.log' });
  t.same([to('off'), to('stdout')], [{ to: 'off' }, { to: 'stdout' }]);
});

t.test('secrets: one, several, or generated ones', async t => {
  const [one, two] = ['1'.repeat(32), '2'.repeat(32)];
  t.same(parseConfig({}, '/srv').secrets, []);
  t.same(parseConfig({ BERTH_SECRET: `${one},` }, '/srv').secrets, [`${one},`], 'a comma is part of a single one');
  t.same(parseConfig({ BERTH_SECRETS: ` ${two}, ${one},` }, '/srv').secrets, [two, one]);
  t.throws(
    () => parseConfig({ BERTH_SECRETS: two, BERTH_SECRET: one }, '/srv'),
    /BERTH_SECRETS must not be set together/,
  );
  const many = Array.from({ length: 9 }, (_, index) => String(index).repeat(32)).join(',');
  t.throws(() => parseConfig({ BERTH_SECRETS: many }, '/srv'), /one to 8/);
});

t.test('an invalid value is refused with one sentence that names the setting', async t => {
  const bad: Record<string, string[]> = {
    BERTH_PORT: ['0', '65536', '80.5', 'http', '-1', '1e3'],
    BERTH_PUBLIC_URL: [
      'berth.example.com',
      'ftp://berth.example.com',
      'https://berth.example.com/a path',
      'https://berth.example.com/path?query',
      'https://berth.example.com//',
      'https://berth.example.com/s/berth',
      'https://berth.example.com/Docs',
      'https://u@x.y',
    ],
    BERTH_API_KEYS: ['short', 'long-enough-key-1234,short', 'a key with blanks in it'],
    BERTH_SECRET: ['too short'],
    BERTH_SECRETS: ['too short', `${'a'.repeat(32)},too short`, `${'a'.repeat(32)},${'a'.repeat(32)}`, ','],
    BERTH_DATABASE_URL: ['mysql://x', 'file.sqlite', 'sqlite:'],
    BERTH_MAX_SESSIONS: ['0', 'many'],
    BERTH_ROM_DOWNLOADS: ['0', '1.5', 'many'],
    BERTH_WEBHOOK_SECRET: ['too-short', 'whsec_c2hvcnQ=', `whsec_${'A'.repeat(44)},whsec_`],
    BERTH_WARM_POOL: ['-1', '0.5', 'some'],
    BERTH_WARM_BROWSER: ['1', 'no', 'TRUE'],
    BERTH_REGIONS: [
      'XX=unix:///run/docker.sock',
      'NA',
      'NA=http://x',
      'NA=tcp://',
      'NA=unix:///a,NA=unix:///b',
      'NA=tcp://docker.example:2375',
      'NA=tcp://10.0.0.7',
    ],
    BERTH_AGENT_ADDRESSES: ['NA=docker.example', '10.0.0.7', 'XX=10.0.0.7', 'EU=10.0.0.7', 'NA=10.0.0.7,NA=10.0.0.8'],
    BERTH_DOCKER_PLAIN_TCP: ['yes'],
    BERTH_SESSION_MEMORY_MB: ['10', '1.5'],
    BERTH_SESSION_CPUS: ['0'],
    BERTH_SESSION_CONNECTIONS: ['1', 'many'],
    BERTH_SESSION_CONNECTION_RATE: ['0', '0.5'],
    BERTH_EGRESS: ['closed'],
    BERTH_EGRESS_ALLOW: ['10.0.0.0/33', '::1/128', 'example.com', '10.0.0.0/8/8'],
    BERTH_INSTANCE: ['Upper', '-x', 'a'.repeat(40)],
    BERTH_IMAGE_PREFIX: ['-x', 'UPPER'],
    BERTH_APPARMOR: ['-x', 'a profile', 'unconfined,x'],
    BERTH_RUNTIME: ['/usr/bin/runsc', '-x'],
    BERTH_IMAGE_MAX_AGE_DAYS: ['0', 'soon'],
    BERTH_HTTP_PROXY_PAC: ['x'.repeat(70_000)],
    BERTH_TIMEZONE: ['Europe/Atlantis', '+02:00', 'CET/CEST'],
    BERTH_TRUST_PROXY: ['maybe'],
    BERTH_AUDIT_LOG: ['stderr', 'audit.log'],
    BERTH_LOG_LEVEL: ['loud'],
    BERTH_RATE_LIMIT: ['-1'],
    BERTH_MAX_VIEWERS_PER_SESSION: ['-1', 'some'],
    BERTH_MAX_VIEWERS_PER_ADDRESS: ['1.5', '100001'],
    BERTH_METRICS_OPEN: ['yes'],
    BERTH_START_TIMEOUT: ['0'],
    BERTH_UPLOAD_MAX_MB: ['0', 'much'],
    BERTH_RETENTION_DAYS: ['0'],
  };
  for (const [name, values] of Object.entries(bad)) {
    for (const value of values) {
      try {
        parseConfig({ [name]: value }, '/srv');
        t.fail(`${name}=${value} was accepted`);
      } catch (error) {
        t.ok(error instanceof ConfigError, `${name}=${value}`);
        t.match((error as Error).message, new RegExp(`^${name} must [^\\n]+\\.$`));
      }
    }
  }
});

t.test('error sentences do not repeat secrets', async t => {
  t.throws(() => parseConfig({ BERTH_SECRET: 'hunter2' }, '/'), { message: /^(?!.*hunter2)/ });
  t.throws(() => parseConfig({ BERTH_SECRETS: 'hunter2' }, '/'), { message: /^(?!.*hunter2)/ });
  t.throws(() => parseConfig({ BERTH_API_KEYS: 'hunter2' }, '/'), { message: /^(?!.*hunter2)/ });
  t.throws(() => parseConfig({ BERTH_DATABASE_URL: 'mysql://u:hunter2@h' }, '/'), {
    message: /^(?!.*hunter2)/,
  });
});

t.test('profiles are stored in a folder or in a bucket', async t => {
  t.same(parseConfig({}, '/srv').profiles, {
    storage: { type: 'folder', folder: '/srv/.berth/profiles' },
    retentionDays: 90,
    checkpointMs: 300_000,
  });
  t.same(parseConfig({ BERTH_PROFILE_DIR: 'p', BERTH_PROFILE_CHECKPOINT: '0' }, '/srv').profiles, {
    storage: { type: 'folder', folder: '/srv/p' },
    retentionDays: 90,
    checkpointMs: 0,
  });
  const bucket = {
    BERTH_PROFILE_S3_BUCKET: 'b-1',
    BERTH_PROFILE_S3_ENDPOINT: 'https://s3.example.com',
    BERTH_PROFILE_S3_REGION: 'eu-west-1',
    BERTH_PROFILE_S3_PREFIX: 'berth',
    BERTH_PROFILE_S3_ACCESS_KEY_ID: 'id',
    BERTH_PROFILE_S3_SECRET_ACCESS_KEY: 'hunter2',
  };
  t.same(parseConfig(bucket, '/').profiles.storage, {
    type: 's3',
    bucket: 'b-1',
    endpoint: 'https://s3.example.com',
    region: 'eu-west-1',
    prefix: 'berth/',
    credentials: { accessKeyId: 'id', secretAccessKey: 'hunter2' },
  });
  const broken: Record<string, string>[] = [
    { BERTH_PROFILE_S3_ENDPOINT: 'http://x' },
    { ...bucket, BERTH_PROFILE_DIR: 'p' },
    { ...bucket, BERTH_PROFILE_S3_ACCESS_KEY_ID: '' },
    { ...bucket, BERTH_PROFILE_S3_ENDPOINT: 'x' },
    { ...bucket, BERTH_PROFILE_S3_BUCKET: 'a b' },
    { ...bucket, BERTH_PROFILE_S3_PREFIX: 'a b' },
    { BERTH_PROFILE_RETENTION_DAYS: '0' },
    { BERTH_PROFILE_CHECKPOINT: '-1' },
  ];
  for (const env of broken)
    t.throws(
      () => parseConfig(env, '/'),
      { name: 'ConfigError', message: /^(?!.*hunter2).*BERTH_PROFILE/ },
      JSON.stringify(env),
    );
});

t.test('the proxy of sessions is a script or an address, and may have credentials', async t => {
  const all = {
    BERTH_HTTP_PROXY_PAC: 'https://a.example/pac',
    BERTH_HTTP_PROXY_USERNAME: 'me',
    BERTH_HTTP_PROXY_PASSWORD: 'x',
  };
  t.equal(parseConfig({}, '/srv').httpProxy, null);
  t.same(parseConfig(all, '/srv').httpProxy, { pac: 'https://a.example/pac', username: 'me', password: 'x' });
  t.throws(() => parseConfig({ ...all, BERTH_HTTP_PROXY_PAC: '' }, '/srv'), { message: /^BERTH_HTTP_PROXY_PAC must / });
});

t.test("TLS is used with engines where the address or Docker's own variables say so", async t => {
  const pems = { 'ca.pem': 'the ca', 'cert.pem': 'the certificate', 'key.pem': 'the key' };
  const folder = t.testdir({ own: pems, docker: { ...pems, 'ca.pem': 'another ca' }, half: { 'ca.pem': 'the ca' } });
  const engine = (address: string, env = {}) =>
    parseConfig({ BERTH_REGIONS: `NA=${address}`, ...env }, folder).regions.get('NA');
  const tls = { ca: 'the ca', cert: 'the certificate', key: 'the key' };
  t.match(engine('tcp+tls://docker.example', { BERTH_DOCKER_CERT_PATH: 'own' }), {
    host: 'docker.example',
    port: 2376,
    tls,
  });
  t.match(engine('tcp+tls://[2001:db8::1]:99', { BERTH_DOCKER_CERT_PATH: 'own' }), {
    host: '2001:db8::1',
    port: 99,
    tls,
  });
  const asDocker = { DOCKER_TLS_VERIFY: '1', DOCKER_CERT_PATH: `${folder}/docker` };
  t.match(engine('tcp://docker.example', asDocker), { port: 2376, tls: { ...tls, ca: 'another ca' } });
  t.match(engine('tcp://docker.example', { ...asDocker, BERTH_DOCKER_CERT_PATH: 'own' }), { tls });
  t.throws(() => engine('tcp+tls://docker.example'), {
    name: 'ConfigError',
    message: /^BERTH_DOCKER_CERT_PATH must [^\n]+\.$/,
  });
  const half = { BERTH_DOCKER_CERT_PATH: 'half' };
  t.throws(() => engine('tcp+tls://docker.example', half), {
    name: 'ConfigError',
    message: /half\/cert\.pem cannot be read \(ENOENT\)\.$/,
  });
  t.throws(() => engine('tcp://docker.example'), { message: /use tcp\+tls:\/\/, or set BERTH_DOCKER_PLAIN_TCP=true/ });
});

t.test('the ps1 BIOS file is checked where the engine is on this machine', async t => {
  const folder = t.testdir({ good: { 'scph5501.bin': '', 'read.me': '' }, empty: {}, short: { 'scph5500.bin': 'x' } });
  truncateSync(`${folder}/good/scph5501.bin`, 512 << 10);
  for (const name of ['good', 'empty', 'short']) chmodSync(`${folder}/${name}`, 0o755);
  const ask = (name: string, env = {}) => parseConfig({ BERTH_PS1_BIOS_DIR: name, ...env }, folder).ps1BiosFolder;
  t.equal(parseConfig({}, folder).ps1BiosFolder, null);
  t.equal(ask('good'), `${folder}/good`);
  for (const [name, message] of [
    ['empty', /has none/],
    ['short', /has 1 bytes, not 524288/],
    ['nowhere', /ENOENT/],
  ] as const) {
    t.throws(() => ask(name), { name: 'ConfigError', message }, name);
    t.throws(() => ask(name), { message: /^BERTH_PS1_BIOS_DIR must [^\n]+\.$/ });
  }
  t.equal(ask('/srv/elsewhere', { BERTH_REGIONS: 'EU=tcp://127.0.0.1:2376' }), '/srv/elsewhere');
  writeFileSync(`${folder}/good/scph5502.bin`, Buffer.alloc(512 << 10), { mode: 0o200 });
  t.throws(() => ask('good'), { message: /the user 1000 cannot read scph5502\.bin/ });
});

t.test('a graphics card is a render node, whose group is looked up where the engines are on this machine', async t => {
  const ask = (BERTH_GPU: string, env = {}) => parseConfig({ BERTH_GPU, ...env }, '/srv').gpu;
  t.equal(parseConfig({}, '/srv').gpu, null);
  t.equal(ask('off', { BERTH_GPU_GROUP: '993' }), null);
  t.same(ask('/dev/dri/renderD128', { BERTH_GPU_GROUP: '993' }), { device: '/dev/dri/renderD128', group: 993 });
  for (const device of [
    'on',
    'renderD128',
    '/dev/dri/card0',
    '/dev/null',
    '/dev/../etc/renderD128',
    '/tmp/renderD128',
    '/dev/dri/renderD128/..',
  ]) {
    t.throws(
      () => ask(device, { BERTH_GPU_GROUP: '993' }),
      { name: 'ConfigError', message: /^BERTH_GPU must [^\n]+\.$/ },
      device,
    );
  }
  for (const group of ['0', '-1', 'render', '4294967295']) {
    t.throws(
      () => ask('/dev/dri/renderD128', { BERTH_GPU_GROUP: group }),
      { message: /^BERTH_GPU_GROUP must [^\n]+\.$/ },
      group,
    );
  }
  t.throws(() => ask('/dev/nowhere/renderD999'), {
    name: 'ConfigError',
    message: /^BERTH_GPU must .*renderD999 is not: .*ENOENT.*\.$/,
  });
  const remote = { BERTH_REGIONS: 'NA=unix:///var/run/docker.sock,EU=tcp://127.0.0.1:2376' };
  t.throws(() => ask('/dev/dri/renderD128', remote), { message: /^BERTH_GPU_GROUP must [^\n]+\.$/ });
  t.match(ask('/dev/dri/renderD128', { ...remote, BERTH_GPU_GROUP: '105' }), { group: 105 });
});

t.test('auto takes the first render node that sessions can use, and says why there is none', async t => {
  const folder = t.testdir({ card0: '', renderD129: '', renderD130: '', renderD128: '', 'by-path': {} });
  const node = { isCharacterDevice: () => true, gid: 105, mode: 0o20660 };
  const found = (nodes: Record<string, Partial<typeof node> | string>) =>
    findGpu(folder, path => {
      const is = nodes[path.slice(folder.length + 1)];
      return typeof is === 'string' ? is : { ...node, ...is };
    });
  t.same(found({}), { device: `${folder}/renderD128`, group: 105 });
  t.same(found({ renderD128: { gid: 0 } }), { device: `${folder}/renderD129`, group: 105 });
  const unusable = { renderD128: { gid: 0 }, renderD129: { mode: 0o20600 }, renderD130: 'EACCES' };
  const reason = `${folder}/renderD128: its group is root: give it one of its own, such as render; ${folder}/renderD129: its group may not read and write it; ${folder}/renderD130: it cannot be inspected (EACCES)`;
  t.equal(found(unusable), `BERTH_GPU is auto, but no render node can be used by sessions (${reason}).`);
  t.match(findGpu(folder), /renderD128: it is not one; /);
  t.equal(findGpu(`${folder}/by-path`), `BERTH_GPU is auto, but ${folder}/by-path has no render node.`);
  t.equal(findGpu(`${folder}/nowhere`), `BERTH_GPU is auto, but ${folder}/nowhere has no render node.`);

  const parsed = parseConfig({ BERTH_GPU: 'auto' }, '/srv');
  t.equal(parsed.gpu === null, parsed.gpuMissing !== null, 'one of them is there');
  t.equal(parseConfig({}, '/srv').gpuMissing, null);
  const remote = { BERTH_GPU: 'auto', BERTH_GPU_GROUP: '105', BERTH_REGIONS: 'EU=tcp://127.0.0.1:2376' };
  t.throws(() => parseConfig(remote, '/srv'), { name: 'ConfigError', message: /^BERTH_GPU=auto finds [^\n]+\.$/ });
});

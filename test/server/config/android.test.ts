/** Settings of Android sessions. */
import { generateKeyPairSync } from 'node:crypto';
import { join } from 'node:path';
import t from 'tap';
import { parseConfig } from '../../../src/server/config/config.js';

const parse = (env: Record<string, string>) => parseConfig(env, '/srv');

t.test('Android sessions have an emulator each unless a pool of devices is named', async t => {
  const deadlines = { connect: 30_000, boot: 180_000, picture: 20_000, lost: 120_000 };
  t.match(parse({}).android, { devices: { type: 'emulator' }, maxSessions: 2, deadlines });
  const pool = { BERTH_ANDROID_DEVICES: 'adb', BERTH_ANDROID_ADB: '10.1.2.3:5555, phone.lan:6520' };
  t.same(parse(pool).android.devices, {
    type: 'adb',
    pool: [
      { host: '10.1.2.3', port: 5555 },
      { host: 'phone.lan', port: 6520 },
    ],
    key: null,
    reset: null,
  });
  const changed = {
    BERTH_ANDROID_MAX_SESSIONS: '7',
    BERTH_ANDROID_BOOT_TIMEOUT: '60',
    BERTH_ANDROID_LOST_TIMEOUT: '9',
  };
  t.match(parse(changed).android, { maxSessions: 7, deadlines: { ...deadlines, boot: 60_000, lost: 9000 } });
});

t.test('an emulator has limits of its own', async t => {
  t.match(parse({}).android.emulator, { memoryMb: 4096, cpus: 2, diskMb: 6144, quota: true });
  const changed = {
    BERTH_ANDROID_MEMORY_MB: '8192',
    BERTH_ANDROID_CPUS: '3.5',
    BERTH_ANDROID_DISK_MB: '9000',
    BERTH_ANDROID_QUOTA: 'false',
    BERTH_ANDROID_KVM_GROUP: '108',
  };
  t.same(parse(changed).android.emulator, { memoryMb: 8192, cpus: 3.5, diskMb: 9000, quota: false, kvmGroup: 108 });
  t.throws(() => parse({ BERTH_ANDROID_MEMORY_MB: '1024' }), { message: /^BERTH_ANDROID_MEMORY_MB must be / });
  const remote = { BERTH_REGIONS: 'EU=tcp://127.0.0.1:2376', BERTH_DOCKER_PLAIN_TCP: 'true' };
  t.equal(parse(remote).android.emulator.kvmGroup, null, 'of other machines it is not known');
});

t.test('the address of the operator’s reset must be one', async t => {
  const pool = { BERTH_ANDROID_DEVICES: 'adb', BERTH_ANDROID_ADB: 'phone:5555' };
  const reset = (url: string, env = {}) => parse({ ...pool, BERTH_ANDROID_RESET_URL: url, ...env }).android.devices;
  const url = 'http://10.1.2.9:8000/reset';
  t.match(reset(url), { reset: { url, timeoutMs: 300_000 } });
  t.match(reset(url, { BERTH_ANDROID_RESET_TIMEOUT: '60' }), { reset: { timeoutMs: 60_000 } });
  for (const wrong of ['reset.sh', 'file:///bin/true'])
    t.throws(() => reset(wrong), { name: 'ConfigError', message: /^BERTH_ANDROID_RESET_URL must be / }, wrong);
});

t.test('the key of the devices is read from its file', async t => {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  const other = generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  const folder = t.testdir({ adbkey: pem, other, text: 'no key' });
  const pool = { BERTH_ANDROID_DEVICES: 'adb', BERTH_ANDROID_ADB: 'phone:5555' };
  const keyed = (name: string) => parse({ ...pool, BERTH_ANDROID_ADB_KEY: join(folder, name) }).android.devices;
  t.match(keyed('adbkey'), { key: pem });
  for (const name of ['other', 'text']) t.throws(() => keyed(name), { message: /holds none/ }, name);
  t.throws(() => keyed('nothing'), { message: /cannot \(ENOENT\)/ });
});

t.test('devices that cannot be ones are refused', async t => {
  const adb = (devices: string) => () => parse({ BERTH_ANDROID_DEVICES: 'adb', BERTH_ANDROID_ADB: devices });
  for (const device of [
    'phone',
    'phone:0',
    'phone:65536',
    '10.1.2:5555',
    '-x:5555',
    'a b:5555',
    '[::1]:5555',
    'p:5555:1',
  ])
    t.throws(adb(device), { name: 'ConfigError', message: new RegExp('must hold devices as host:port') }, device);
  t.throws(adb('a:1,a:1'), { message: /once/ });
  t.throws(adb(''), { message: /BERTH_ANDROID_ADB must hold/ });
  t.throws(() => parse({ BERTH_ANDROID_DEVICES: 'redroid' }), { message: /emulator, adb/ });
  for (const name of ['BERTH_ANDROID_ADB', 'BERTH_ANDROID_ADB_KEY', 'BERTH_ANDROID_RESET_URL'])
    t.throws(() => parse({ [name]: 'phone:5555' }), { message: new RegExp(`${name} needs`) });
});

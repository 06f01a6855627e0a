// tags: containers
/** What is installed and opened on a device, from the service's address to the device. */
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import t from 'tap';
import { AndroidSession } from '../../fixtures/android/session.js';
import { freeDevices } from '../../fixtures/android/free-devices.js';
import { startService } from '../../fixtures/services/service.js';
import { SIGNED_APP, signedApk } from '../../fixtures/android/signed-apk.js';
import { StandIn } from '../../fixtures/android/stand-in.js';
import { until } from '../../fixtures/until.js';

const LONG_MS = 120_000;
const apk = await signedApk();
const sha256 = createHash('sha256').update(apk).digest('hex');
const server = createServer((_, response) => response.end(apk)).listen(0, '127.0.0.1');
t.teardown(() => server.close());
await once(server, 'listening');
const apkUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/test.apk`;

const device = await StandIn.start(t);
const pool = {
  BERTH_ANDROID_DEVICES: 'adb',
  BERTH_ANDROID_ADB: `${device.host}:5555`,
  BERTH_ROM_ALLOW_PRIVATE: 'true',
};
const service = await startService(t, pool);

const isRunning = (session: AndroidSession) =>
  until('it runs', async () => (await session.state()) === 'running', LONG_MS);

/** Starts a session as soon as the device of the one before was cleaned. */
const start = (fields: object = {}) =>
  until('a device is free', () => AndroidSession.start(service, fields).catch(() => null), LONG_MS);

t.test('an app of apk_url reaches the device byte for byte, and is opened', async t => {
  const session = await start({ apk_url: apkUrl, quality: { mode: 'blocky' } });
  await isRunning(session);
  t.match(await device.logged('installed'), [{ app: SIGNED_APP, sha256 }]);
  t.equal(await device.run('cat /stand-in/foreground'), SIGNED_APP);
  const servers = (await device.events('server')).map(({ args }) => args as string[]);
  t.ok(
    servers.some(args => args.includes('video_bit_rate=1000000')),
    'blocky pictures have the lowest bit rate',
  );
  await session.end();
  t.equal(await device.run('ls /stand-in/apps'), '', 'it goes with the session');
});

t.test('an app that the device has already is replaced, opened, and stays', async t => {
  await freeDevices(service);
  await device.set(`apps/${SIGNED_APP}`, '');
  t.teardown(() => device.run('rm -f /stand-in/apps/*'));
  // Which takes the device as it is now.
  const other = await startService(t, pool);
  await freeDevices(other);
  const session = await AndroidSession.start(other, { apk_url: apkUrl });
  await isRunning(session);
  t.equal(await device.run('cat /stand-in/foreground'), SIGNED_APP);
  await session.end();
  t.equal(await device.run('ls /stand-in/apps'), SIGNED_APP);
});

t.test('a device that cannot tell its apps is not lent until it can, and keeps them', async t => {
  await freeDevices(service);
  await device.set('apps/org.own', '');
  t.teardown(() => device.run('rm -f /stand-in/apps/*'));
  await device.run(`cd /usr/local/bin && mv pm /tmp
    printf '#!/bin/sh\necho asked >>/tmp/asked; exit 20' >pm && chmod +x pm`);
  const other = await startService(t, pool);
  await until('it was asked', () => device.run('cat /tmp/asked').catch(() => null), LONG_MS);
  t.equal((await other.api('POST', '/v0/android')).status, 429);
  await device.run('mv /tmp/pm /usr/local/bin');
  await freeDevices(other);
  t.equal(await device.run('ls /stand-in/apps'), 'org.own');
});

t.test("an app that is not installed has its page in the device's store shown", async t => {
  await device.set('apps/com.android.vending', '');
  t.teardown(() => device.run('rm -f /stand-in/apps/com.android.vending'));
  const session = await start({ app_id: 'org.not.there' });
  await isRunning(session);
  t.equal(await device.run('cat /stand-in/foreground'), 'market://details?id=org.not.there');
  await session.end();
});

t.test('an uploaded app is installed byte for byte, and one that is cut off refused', async t => {
  await device.forget();
  const session = await start();
  await isRunning(session);
  const upload = await session.upload('test.apk', apk);
  t.same(await session.call('android.install', upload), { status: 200, body: { app_id: SIGNED_APP } });
  t.match(await device.logged('installed'), [{ app: SIGNED_APP, sha256 }]);
  const broken = await session.upload('broken.apk', apk.subarray(0, 100));
  t.match(await session.call('android.install', broken), { status: 422, body: { code: 'install_failed' } });
  await session.end();
});

// tags: containers, waiting, slow
/** Lending a device of a pool, resetting it, and what becomes of sessions whose device fails. */
import t from 'tap';
import { AndroidSession } from '../../fixtures/android/session.js';
import { docker } from '../../fixtures/engines/docker.js';
import { freeDevices } from '../../fixtures/android/free-devices.js';
import { startService, type Service } from '../../fixtures/services/service.js';
import { StandIn } from '../../fixtures/android/stand-in.js';
import { until } from '../../fixtures/until.js';

const LONG_MS = 120_000;
const device = await StandIn.start(t);
const pool = { BERTH_ANDROID_DEVICES: 'adb', BERTH_ANDROID_ADB: `${device.host}:5555` };

/** Resolves with what a read says once the session has ended. */
const ended = (session: AndroidSession) =>
  until(
    'it has ended',
    async () => {
      const record = await session.read();
      return typeof record['termination_date'] === 'string' && record;
    },
    LONG_MS,
  );

/** Starts a session as soon as the device of the one before was cleaned. */
const startWhenFree = (service: Service) =>
  until('a device is free', () => AndroidSession.start(service).catch(() => null), LONG_MS);

t.test('what a session leaves on its device', async t => {
  await device.run(
    'set -e; cd /sdcard/Download; rm -rf ./*; touch own; echo own >changed; : >/stand-in/apps/org.there',
  );
  const service = await startService(t, pool);
  await freeDevices(service);
  const session = await AndroidSession.start(service, { app_id: 'org.there' });
  await session.becomes('running');
  await t.test('is there while it runs', async t => {
    t.equal(await device.run('cat /stand-in/foreground'), 'org.there');
    t.equal(await device.run('ls /stand-in/tasks'), 'org.there');
    await device.run(`cd /stand-in; : >apps/org.left; : >apps/org.admin; echo test >admins/org.admin
      for kind in tasks notifications data; do : >$kind/com.android.chrome; : >$kind/org.there; done
      : >users/10; : >disabled/com.android.chrome; echo 10.9.9.9:8080 >settings/http_proxy
      : >/data/misc/user/0/cacerts-added/abcdef.0; echo more >>/sdcard/Download/changed
      mkdir -p '/sdcard/DCIM/Camera' '/sdcard/Android/media/org.left'; touch /sdcard/Android/media/org.left/a
      touch '/sdcard/DCIM/Camera/a $(b) '"'"'c.jpg' /data/local/tmp/.hidden "$(printf '/sdcard/DCIM/new\nline')"
      setsid sleep 9999 & echo $! >strays`);
    t.equal((await service.api('POST', '/v0/android')).status, 429, 'nobody else gets the device');
  });
  await session.end();
  await freeDevices(service);
  await t.test('is gone before the next one gets the device', async t => {
    t.equal(
      await device.run(
        `cd /stand-in; ls -A apps users disabled tasks notifications data admins /data/misc/user/0/cacerts-added
        cat settings/http_proxy 2>/dev/null; ls -A /sdcard; find /sdcard /data/local/tmp ! -type d`,
      ),
      [
        '/data/misc/user/0/cacerts-added:\n',
        ...['admins:\n', 'apps:\norg.there\n', 'data:\n', 'disabled:\n', 'notifications:\n', 'tasks:\n'],
        'users:\nAndroid\nDCIM\nDownload\n/sdcard/Download/own',
      ].join('\n'),
    );
    t.equal(await device.run('kill -0 $(cat /stand-in/strays) 2>/dev/null || echo ended'), 'ended');
    t.equal(await device.run('cat /stand-in/foreground'), 'home');
    const next = await startWhenFree(service);
    await next.becomes('running');
  });
});

t.test('a device with something that adb cannot remove is not lent, and all the rest is removed', async t => {
  const service = await startService(t, {
    ...pool,
    BERTH_LOG_LEVEL: 'error',
  });
  await freeDevices(service);
  const session = await AndroidSession.start(service);
  await session.becomes('running');
  await device.run(
    'cd /stand-in; echo me@example.org >accounts; : >lock; : >apps/org.stuck; : >admins/org.stuck; touch /sdcard/left',
  );
  await session.end();
  t.equal((await service.api('POST', '/v0/android')).status, 429);
  const left = /apps: org\.stuck.*accounts: name=me@example\.org.*screen lock: is set/;
  await until('what is left is told', () => left.test(service.log()), LONG_MS);
  t.equal(await device.run('ls /sdcard/left 2>/dev/null || true'), '');
  await device.run('cd /stand-in; rm -f accounts lock admins/org.stuck');
  await freeDevices(service);
});

t.test('a session goes on when the service is killed and started again, and gives its device back', async t => {
  const service = await startService(t, pool);
  await freeDevices(service);
  const session = await AndroidSession.start(service);
  await session.becomes('running');
  await service.kill9();
  await service.restart();
  await session.becomes('running');
  t.equal((await service.api('POST', '/v0/android')).status, 429);
  await session.end();
  const next = await startWhenFree(service);
  await next.becomes('running');
});

t.test('a device that goes away and comes back is shown again', async t => {
  const service = await startService(t, pool);
  await freeDevices(service);
  const session = await AndroidSession.start(service);
  await session.becomes('running');
  await device.goAway();
  await session.becomes('restarting');
  await device.comeBack();
  await session.becomes('running');
});

t.test('a device that hangs counts as lost until it answers', async t => {
  const service = await startService(t, pool);
  await freeDevices(service);
  const session = await startWhenFree(service);
  await session.becomes('running');
  await docker('pause', device.container);
  try {
    await session.becomes('restarting');
  } finally {
    await docker('unpause', device.container);
  }
  await session.becomes('running');
});

t.test('a session without a picture ends with a code and a sentence', async t => {
  const service = await startService(t, {
    ...pool,
    BERTH_ANDROID_PICTURE_TIMEOUT: '15',
    BERTH_ANDROID_LOST_TIMEOUT: '5',
  });
  await freeDevices(service);
  const absent = await AndroidSession.start(service, { app_id: 'org.not.there' });
  t.match(await ended(absent), { termination_reason: 'failed', termination_code: 'app_not_available' });
  await device.run('echo broken >/stand-in/server');
  const silent = await startWhenFree(service);
  t.match(await ended(silent), { termination_reason: 'failed', termination_code: 'no_picture' });
  await device.run('rm /stand-in/server');
  const lost = await startWhenFree(service);
  await lost.becomes('running');
  await device.goAway();
  t.match(await ended(lost), { termination_reason: 'crashed', termination_code: 'adb_unreachable' });
  t.equal((await service.api('POST', '/v0/android')).status, 429, 'the device is not lent');
  await device.comeBack();
  await until('it is lent again', async () => (await service.api('POST', '/v0/android')).status === 201, LONG_MS);
});

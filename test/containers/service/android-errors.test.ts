// tags: containers, waiting
/** Why sessions with a device end: a code and a sentence, in the record and for viewers. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import t from 'tap';
import type { StartAndroid } from '../../../src/protocol/generated/schemas.js';
import { AndroidSession } from '../../fixtures/android/session.js';
import { freeDevices } from '../../fixtures/android/free-devices.js';
import { startService } from '../../fixtures/services/service.js';
import { signedApk } from '../../fixtures/android/signed-apk.js';
import { StandIn } from '../../fixtures/android/stand-in.js';
import { until } from '../../fixtures/until.js';

const LONG_MS = 120_000;

/** An app whose manifest the device cannot read. */
const broken = (await signedApk()).fill(0, 60, 400);
const server = createServer((_, response) => response.end(broken)).listen(0, '127.0.0.1');
t.teardown(() => server.close());
await once(server, 'listening');
const apkUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/broken.apk`;

const device = await StandIn.start(t);
const service = await startService(t, {
  BERTH_ANDROID_DEVICES: 'adb',
  BERTH_ANDROID_ADB: `${device.host}:5555`,
  BERTH_ANDROID_CONNECT_TIMEOUT: '15',
  BERTH_ANDROID_BOOT_TIMEOUT: '15',
  BERTH_ROM_ALLOW_PRIVATE: 'true',
});

interface Failure {
  code: string;
  message: RegExp;
  request?: StartAndroid;
  /** What the device is like, and how it is set right again: scripts. */
  broken?: string;
  mended?: string;
}

const failures: readonly Failure[] = [
  {
    code: 'adb_unreachable',
    message: /^The device did not answer within 15 s\.$/,
    broken: 'touch /stand-in/gone && kill -9 "$(cat /stand-in/adbd)"',
    mended: 'rm /stand-in/gone',
  },
  {
    code: 'boot_timeout',
    message: /^The device did not finish booting within 15 s\.$/,
    broken: ': >/stand-in/props/sys.boot_completed',
    mended: 'rm /stand-in/props/sys.boot_completed',
  },
  {
    code: 'scrcpy_mismatch',
    message: /another version/,
    broken: 'echo 4.1 >/stand-in/version',
    mended: 'rm /stand-in/version',
  },
  {
    code: 'scrcpy_missing',
    message: /^The device cannot run the scrcpy server\.$/,
    broken: 'mv /usr/local/bin/app_process /tmp',
    mended: 'mv /tmp/app_process /usr/local/bin',
  },
  {
    code: 'install_failed',
    message: /^The device did not install the app: INSTALL_PARSE_FAILED_NOT_APK\.$/,
    request: { apk_url: apkUrl },
  },
  {
    code: 'app_not_available',
    message: /^The app org\.not\.there is not installed, and the device has no store\.$/,
    request: { app_id: 'org.not.there' },
  },
];

for (const { code, message, request, broken, mended } of failures) {
  t.test(`${code}: the session ends with a code and a sentence`, async t => {
    await freeDevices(service);
    if (broken !== undefined) await device.run(broken);
    const session = await AndroidSession.start(service, request);
    const viewer = await session.join();
    t.match(await viewer.heard('end'), { reason: 'failed', code, message }, 'viewers are told');
    const record = await until(
      'it has ended',
      async () => {
        const read = await session.read();
        return typeof read['termination_date'] === 'string' && read;
      },
      LONG_MS,
    );
    t.match(record, { termination_reason: 'failed', termination_code: code, termination_message: message });
    if (mended !== undefined) await device.run(mended);
  });
}

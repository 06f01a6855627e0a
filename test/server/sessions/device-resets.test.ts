/** How devices of a pool are handed on: who gets which one, and what must have happened before. */
import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import t, { type Test } from 'tap';
import { Webhook } from 'standardwebhooks';
import { connectAdb } from '../../../src/adb/connect.js';
import { adbKeys } from '../../../src/adb/keys.js';
import { signedBy } from '../../../src/adb/signature.js';
import { FakeDevice } from '../../fixtures/android/fake-device.js';
import { freeDevices } from '../../fixtures/android/free-devices.js';
import { serveInProcess, type InProcess } from '../../fixtures/services/in-process.js';
import { until } from '../../fixtures/until.js';

const LONG_MS = 60_000;

/** A service whose devices are free. */
async function serve(t: Test, devices: readonly FakeDevice[], env: Record<string, string> = {}): Promise<InProcess> {
  const service = await serveInProcess(t, {
    BERTH_ANDROID_DEVICES: 'adb',
    BERTH_ANDROID_ADB: devices.map(({ name }) => name).join(','),
    BERTH_ANDROID_MAX_SESSIONS: '9',
    BERTH_ANDROID_CONNECT_TIMEOUT: '1',
    ...env,
  });
  await freeDevices(service, devices.length);
  return service;
}

/** Starts a session; answers its ID, or the code of the refusal. */
async function start(service: InProcess, fields: object = {}): Promise<string> {
  const answer = (await (await service.api('POST', '/v0/android', fields)).json()) as Record<string, string>;
  return answer['session_id'] ?? answer['code'] ?? '';
}

const end = (service: InProcess, id: string) => service.api('DELETE', `/v0/vm/${id}`);

/** The device of the newest session. */
function deviceOf({ agent }: InProcess): string | undefined {
  const launch = agent.controls.findLast(message => message.type === 'launch');
  if (launch?.kind !== 'android' || launch.android.device.type !== 'adb') return undefined;
  return `${launch.android.device.host}:${launch.android.device.port}`;
}

/** A hook that answers with the next of these statuses, the last one for ever. */
async function hook(t: Test, ...statuses: number[]) {
  const calls: { headers: IncomingMessage['headers']; body: string }[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const status = statuses[Math.min(calls.length, statuses.length - 1)] ?? 204;
      calls.push({ headers: request.headers, body: Buffer.concat(chunks).toString() });
      response.writeHead(status).end();
    });
  });
  t.teardown(() => server.close());
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return { calls, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/reset` };
}

t.test('a device is reset when its session has ended, by the service, before it is lent again', async t => {
  const device = await FakeDevice.start(t);
  const service = await serve(t, [device]);
  const first = await start(service);
  device.commands.length = 0;
  device.onCommand = () => void t.equal(service.engine.running.has(first), false, 'the container is gone');
  await end(service, first);
  device.onCommand = undefined;
  for (const part of [
    'pm list packages -3',
    'pm clear com.android.chrome',
    'dumpsys activity recents',
    'logcat -b main -c',
    'find . ',
  ])
    t.ok(
      device.commands.some(command => command.includes(part)),
      part,
    );
  t.match(await start(service), /^[\w-]{20,}$/, 'it is lent again');
});

t.test('without a reset of its operator, a device is lent to one tenant only', async t => {
  const devices = [await FakeDevice.start(t), await FakeDevice.start(t)];
  const service = await serve(t, devices);
  const one = await start(service, { tenant_id: 'one' });
  const used = deviceOf(service);
  await end(service, one);
  const two = await start(service, { tenant_id: 'two' });
  t.not(deviceOf(service), used, 'another tenant gets another device');
  t.equal(await start(service, { tenant_id: 'three' }), 'capacity', 'which there may be none of');
  t.equal(await start(service), 'capacity', 'sessions without a tenant are a party of their own');
  await end(service, two);
  await start(service, { tenant_id: 'one' });
  t.equal(deviceOf(service), used, 'a tenant gets its own again');
});

t.test('sessions without a tenant share devices', async t => {
  const device = await FakeDevice.start(t);
  const service = await serve(t, [device]);
  await end(service, await start(service));
  await end(service, await start(service));
  t.equal(await start(service, { tenant_id: 'one' }), 'capacity');
});

t.test("after a reset of its operator's own a device is anybody's, and only after one that succeeded", async t => {
  const device = await FakeDevice.start(t);
  const { calls, url } = await hook(t, 500, 204);
  const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
  const service = await serve(t, [device], { BERTH_ANDROID_RESET_URL: url, BERTH_WEBHOOK_SECRET: secret });
  const one = await start(service, { tenant_id: 'one' });
  t.equal(calls.length, 0, 'a device that nobody used is as its operator left it');
  await end(service, one);
  t.equal(calls.length, 1);
  t.equal(await start(service, { tenant_id: 'two' }), 'capacity', 'it failed');
  t.equal(await start(service, { tenant_id: 'one' }), 'capacity', 'for everybody');
  await until('it is lent', async () => /^[\w-]{20,}$/.test(await start(service, { tenant_id: 'two' })), LONG_MS);
  t.equal(calls.length, 2);
  const { headers, body } = calls[0] ?? { headers: {}, body: '' };
  t.same(JSON.parse(body), { event: 'android_device.reset', device: device.name });
  t.doesNotThrow(() => new Webhook(secret).verify(body, headers as Record<string, string>), 'it is signed');
});

t.test('a device that keeps something is not lent, though it answers, until it was cleaned', async t => {
  const device = await FakeDevice.start(t);
  const service = await serve(t, [device], { BERTH_LOG_LEVEL: 'error' });
  const one = await start(service);
  const kept = device.answers.length;
  device.say(/dumpsys account/, '  Account {name=somebody@example.org, type=com.google}');
  await end(service, one);
  t.equal(await start(service), 'capacity');
  t.match(service.log(), /"msg":"device not reset: it is not lent"/);
  t.match(service.log(), /accounts: name=somebody@example\.org, type=com\.google/);
  const metrics = await (await service.api('GET', '/metrics')).text();
  t.match(metrics, /^berth_android_devices\{state="unclean"\} 1$/m);
  t.match(metrics, /^berth_android_devices\{state="free"\} 0$/m);
  device.answers.splice(0, device.answers.length - kept);
  await until('it is lent', async () => /^[\w-]{20,}$/.test(await start(service)), LONG_MS);
});

t.test('one device that cannot be cleaned does not take the starts of others', async t => {
  const devices = [await FakeDevice.start(t), await FakeDevice.start(t)] as const;
  const service = await serve(t, devices);
  const one = await start(service);
  const bad = devices.find(({ name }) => name === deviceOf(service));
  bad?.say(/dumpsys device_policy/, '  Enabled Device Admins (User 0):\n    org.evil/.Admin:\n');
  await end(service, one);
  t.ok(bad?.commands.some(command => command.includes('dpm remove-active-admin --user 0 org.evil/.Admin')));
  t.ok(
    bad?.commands.some(command => command.includes('logcat -b main -c')),
    'the other steps were done',
  );
  for (let count = 0; count < 3; count++) {
    const id = await start(service);
    t.not(deviceOf(service), bad?.name);
    await end(service, id);
  }
});

t.test('what was on a device before its first session stays', async t => {
  const device = await FakeDevice.start(t);
  device.say(/pm list packages -3/, 'package:org.operators');
  device.say(/settings list secure/, 'screen_words=own');
  const service = await serve(t, [device]);
  const one = await start(service);
  device.say(/pm list packages -3/, 'package:org.operators\npackage:org.came');
  device.say(/settings list secure/, 'screen_words=changed\nnew_words=1');
  device.commands.length = 0;
  await end(service, one);
  const asked = device.commands.join('\n');
  t.match(asked, /pm uninstall org\.came/);
  t.notMatch(asked, /pm uninstall org\.operators/);
  t.match(asked, /settings put secure screen_words own/);
  t.match(asked, /settings delete secure new_words/);
});

t.test(
  'no container gets the key of the devices: the service signs for the agent of a session that has one',
  async t => {
    const pem = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ type: 'pkcs8', format: 'pem' });
    const folder = t.testdir({ adbkey: String(pem) });
    const device = await FakeDevice.start(t);
    device.trust(String(pem));
    const service = await serve(t, [device], { BERTH_ANDROID_ADB_KEY: `${folder}/adbkey` });
    await start(service);
    const { agent } = service;
    t.notMatch(JSON.stringify(agent.controls), /PRIVATE KEY|"key"/);
    const signatures = () => agent.controls.flatMap(it => (it.type === 'signature' ? [it.signature ?? ''] : []));
    const sign = async (token: Uint8Array) => {
      const count = signatures().length;
      agent.tell({ type: 'sign', token: Buffer.from(token).toString('base64') });
      await until('it is signed', () => signatures().length > count);
      return Buffer.from(signatures().at(-1) ?? '', 'base64');
    };
    const [host = '', port] = device.name.split(':');
    const adb = await connectAdb({ host, port: Number(port) }, adbKeys(undefined), AbortSignal.timeout(LONG_MS), {
      authenticators: [signedBy(sign)],
    });
    await adb.close();
    await t.rejects(
      connectAdb({ host, port: Number(port) }, adbKeys(undefined), AbortSignal.timeout(LONG_MS), {
        authenticators: [signedBy(async () => Buffer.alloc(256))],
      }),
      /does not trust/,
    );
    const before = signatures().length;
    for (let count = 0; count < 100; count++)
      agent.tell({ type: 'sign', token: Buffer.alloc(20, count).toString('base64') });
    await t.rejects(until('all are signed', () => signatures().length >= before + 100, 2000));
    t.ok(signatures().length < before + 20, 'but not any number');
  },
);

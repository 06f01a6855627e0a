import t, { type Test } from 'tap';
import { FakeDevice } from '../../fixtures/android/fake-device.js';
import { freeDevices } from '../../fixtures/android/free-devices.js';
import { serveGames } from '../../fixtures/consoles/game-server.js';
import { serveInProcess, type InProcess } from '../../fixtures/services/in-process.js';
import { startFakedSession } from '../../fixtures/services/faked-session.js';
import { until } from '../../fixtures/until.js';

/** A service with so many devices, all free. */
async function servePool(t: Test, count = 1, env: Record<string, string> = {}) {
  const devices = await Promise.all(Array.from({ length: count }, () => FakeDevice.start(t)));
  const names = devices.map(({ name }) => name);
  const pool = { BERTH_ANDROID_DEVICES: 'adb', BERTH_ANDROID_ADB: names.join(',') };
  const service = await serveInProcess(t, { ...pool, ...env });
  await freeDevices(service, count);
  return { service, names };
}

const launches = ({ agent }: InProcess) =>
  agent.controls.flatMap(message => (message.type === 'launch' && message.kind === 'android' ? [message] : []));

const read = async (service: InProcess, id: string) =>
  (await (await service.api('GET', `/v0/vm/${id}`)).json()) as Record<string, unknown>;

t.test('the request reaches the agent, with defaults for everything', async t => {
  const service = await serveInProcess(t);
  await startFakedSession(t, {}, service, '/v0/android');
  t.match(launches(service)[0], {
    display: { width: 720, height: 1280, fps: 30, max_area: 720 * 1280, quality: 'smooth', hide_cursor: true },
    android: {
      device: { type: 'emulator' },
      density: 320,
      deadlines: { connect: 30_000, boot: 180_000, picture: 20_000, lost: 120_000 },
    },
  });
  const locale = { language: 'zh-Hant', country: 'TW' };
  const wanted = { app_id: 'org.example_1.app', density: 240, locale, width: 1280, height: 720, fps: 60 };
  await startFakedSession(t, wanted, service, '/v0/android');
  t.match(launches(service)[1], {
    display: { width: 1280, height: 720, fps: 60 },
    android: { app_id: 'org.example_1.app', density: 240, locale },
  });
});

t.test('invalid requests are refused with the field named', async t => {
  const service = await serveInProcess(t);
  for (const [body, path] of [
    [{ app_id: 'app' }, '/app_id'],
    [{ app_id: 'org.example; reboot' }, '/app_id'],
    [{ app_id: `a.${'b'.repeat(254)}` }, '/app_id'],
    [{ apk_url: 'file:///etc/passwd' }, '/apk_url'],
    [{ density: 20 }, '/density'],
    [{ locale: { language: 'de,en' } }, '/locale/language'],
    [{ width: 1080 }, '/height'],
    [{ width: 1080, height: 2400 }, '/height'],
    [{ start_url: 'about:blank' }, '/start_url'],
  ] as const) {
    const response = await service.api('POST', '/v0/android', body);
    const answer = (await response.json()) as { code: string; details?: { path: string }[] };
    t.match([response.status, answer.code], [400, 'invalid_body'], JSON.stringify(body));
    t.ok(
      answer.details?.some(detail => detail.path === path),
      JSON.stringify(answer.details),
    );
  }
  t.equal((await service.api('POST', '/v0/android', { width: 1080, height: 1920 })).status, 201, 'portrait');
});

t.test('there are at most BERTH_ANDROID_MAX_SESSIONS, besides those of other kinds', async t => {
  const service = await serveInProcess(t, { BERTH_ANDROID_MAX_SESSIONS: '1', BERTH_MAX_SESSIONS: '2' });
  const one = await startFakedSession(t, { tag: 'one' }, service, '/v0/android');
  const full = await service.api('POST', '/v0/android');
  t.match([full.status, await full.json()], [429, { code: 'capacity' }]);
  t.ok(full.headers.get('retry-after'));
  t.equal((await service.api('POST', '/v0/android', { tag: 'one' })).status, 200, 'the running one is found');
  t.equal((await service.api('POST', '/v0/vm')).status, 201, 'there is room for others');
  await service.api('DELETE', `/v0/vm/${one.id}`);
  t.equal((await service.api('POST', '/v0/android')).status, 201);
});

t.test('each session has a device of the pool for itself, and gives it back', async t => {
  const { service, names } = await servePool(t, 2, { BERTH_ANDROID_MAX_SESSIONS: '9' });
  const one = await startFakedSession(t, {}, service, '/v0/android');
  await startFakedSession(t, {}, service, '/v0/android');
  const devices = () =>
    launches(service).map(({ android: { device } }) => (device.type === 'adb' ? `${device.host}:${device.port}` : ''));
  t.same(devices().sort(), names.sort());
  const full = await service.api('POST', '/v0/android');
  t.match([full.status, await full.json()], [429, { code: 'capacity', message: /devices are in use/ }]);
  const [first] = devices();
  await service.api('DELETE', `/v0/vm/${one.id}`);
  await startFakedSession(t, {}, service, '/v0/android');
  t.equal(devices()[2], first);
});

t.test('a device is not lent before it was reached, however long that takes', async t => {
  const device = await FakeDevice.start(t);
  await device.goAway();
  const service = await serveInProcess(t, {
    BERTH_ANDROID_DEVICES: 'adb',
    BERTH_ANDROID_ADB: device.name,
    BERTH_ANDROID_CONNECT_TIMEOUT: '1',
  });
  const refused = await service.api('POST', '/v0/android');
  t.match([refused.status, await refused.json()], [429, { code: 'capacity', message: /devices are in use/ }]);
  await device.comeBack();
  await until('it is lent', async () => (await service.api('POST', '/v0/android')).status === 201, 60_000);
});

t.test('a failed start gives its device back', async t => {
  const { service } = await servePool(t);
  service.engine.refusal = () => new Error('no container today');
  t.equal((await service.api('POST', '/v0/android')).status, 502);
  service.engine.refusal = undefined;
  t.equal((await service.api('POST', '/v0/android')).status, 201);
});

t.test('simultaneous starts with one tag share the only device', async t => {
  const { service } = await servePool(t);
  const all = await Promise.all(
    [1, 2, 3, 4, 5].map(async () => {
      const response = await service.api('POST', '/v0/android', { tag: 'shared' });
      return { status: response.status, id: ((await response.json()) as { session_id: string }).session_id };
    }),
  );
  t.same(all.map(({ status }) => status).sort(), [200, 200, 200, 200, 201]);
  t.equal(new Set(all.map(({ id }) => id)).size, 1);
});

t.test('devices of a pool have no profile', async t => {
  const { service } = await servePool(t);
  const response = await service.api('POST', '/v0/android', { profile: true });
  t.match(
    [response.status, await response.json()],
    [422, { code: 'profile_unsupported', details: [{ path: '/profile' }] }],
  );
  t.equal((await service.api('POST', '/v0/android', { profile: false })).status, 201);
});

t.test('the code of a failure is in the record, and viewers are told', async t => {
  const service = await serveInProcess(t);
  const session = await startFakedSession(t, {}, service, '/v0/android');
  const viewer = await session.join();
  const state = { type: 'state', state: 'failed', cause: 'content', code: 'no_kvm', message: 'No KVM here.' } as const;
  service.agent.tell(state);
  const told = { reason: 'failed', message: 'No KVM here.', code: 'no_kvm' };
  t.match(await viewer.heard('end', () => true), told);
  await until('it has ended', async () => (await read(service, session.id))['termination_date'] !== null);
  t.match(await read(service, session.id), {
    termination_reason: 'failed',
    termination_code: 'no_kvm',
    termination_message: 'No KVM here.',
  });
});

t.test('apk_url: the app is fetched and handed over, if it can be one', async t => {
  const { origin } = await serveGames(t, {
    'app.apk': Buffer.from('PK\x03\x04 and so on', 'latin1'),
    'page.apk': Buffer.from('<html>'),
  });
  const service = await serveInProcess(t, { BERTH_ROM_ALLOW_PRIVATE: 'true' });
  const received: string[] = [];
  service.agent.onRequest = (request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      received.push(`${request.method} ${request.url} ${Buffer.concat(chunks).toString('latin1')}`);
      response.writeHead(204).end();
    });
  };
  await startFakedSession(t, { apk_url: `${origin}/app.apk` }, service, '/v0/android');
  t.equal(launches(service)[0]?.android.apk, true);
  service.agent.tell({ type: 'wants', what: 'apk' });
  await until('it has come', () => received.length > 0);
  t.same(received, ['PUT /apk PK\x03\x04 and so on']);
  const bad = await startFakedSession(
    t,
    { apk_url: `${origin}/page.apk` },
    await serveInProcess(t, { BERTH_ROM_ALLOW_PRIVATE: 'true' }),
    '/v0/android',
  );
  bad.service.agent.tell({ type: 'wants', what: 'apk' });
  await until('it has ended', async () => (await read(bad.service, bad.id))['termination_date'] !== null);
  t.match(await read(bad.service, bad.id), {
    termination_reason: 'failed',
    termination_code: 'install_failed',
    termination_message: /not an app/,
  });
});

t.test('apk_url: private networks are refused', async t => {
  const service = await serveInProcess(t);
  const response = await service.api('POST', '/v0/android', { apk_url: 'http://127.0.0.1/app.apk' });
  t.match(
    [response.status, await response.json()],
    [422, { code: 'apk_refused', details: [{ path: '/apk_url', message: /app/ }] }],
  );
});

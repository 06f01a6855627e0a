import t from 'tap';
import { startFakedSession } from '../../../fixtures/services/faked-session.js';

const session = await startFakedSession(t, {}, undefined, '/v0/android');
const { agent } = session.service;

t.test('the arguments reach the agent, the value is returned', async t => {
  agent.onCall = (method, args) => ({ value: { method, args } });
  for (const [method, args] of [
    ['android.key', ['volume_up']],
    ['android.rotate', []],
    ['android.rotate', ['landscape']],
    ['android.open', ['org.example.app']],
    ['android.open', ['market://details?id=org.example']],
    ['android.install', ['kx1M3q8cJ6Zp0aVt']],
    ['android.location', [48.8584, 2.2945, 35]],
    ['android.logs', [100]],
  ] as const) {
    const { status, body } = await session.call('POST', `/${method}`, args);
    t.match([status, body], [200, { method, args }], method);
  }
});

t.test('invalid arguments are refused with the field named', async t => {
  for (const [method, args, path] of [
    ['android.key', ['reboot'], '/0'],
    ['android.key', [], ''],
    ['android.rotate', ['upside_down'], '/0'],
    ['android.open', ['file:///etc/passwd'], '/0'],
    ['android.open', ['org.example $(reboot)'], '/0'],
    ['android.install', ['../app'], '/0'],
    ['android.location', [91, 0], '/0'],
    ['android.logs', [0], '/0'],
  ] as const) {
    const { status, body } = await session.call('POST', `/${method}`, args);
    t.equal(status, 400, `${method} ${JSON.stringify(args)}`);
    t.ok(
      body.details?.some((problem: { path: string }) => problem.path === path),
      JSON.stringify(body),
    );
  }
});

t.test("a device's refusals are answered with their codes", async t => {
  for (const [code, expected] of [
    ['apk_invalid', 400],
    ['app_not_available', 422],
    ['install_failed', 422],
    ['not_supported', 409],
  ] as const) {
    agent.onCall = () => ({ error: { code, message: 'No.' } });
    const { status, body } = await session.call('POST', '/android.install', ['upload']);
    t.match([status, body], [expected, { code, message: 'No.' }]);
  }
});

t.test('tabs, seats and bookmarks are for other kinds', async t => {
  t.match(await session.call('POST', '/tabs.query', [{}]), { status: 409, body: { code: 'not_a_browser' } });
  t.match(await session.call('POST', '/seats', [1, null]), { status: 409, body: { code: 'not_a_console' } });
  t.match(await session.call('GET', '/downloads'), { status: 409, body: { code: 'not_a_browser' } });
});

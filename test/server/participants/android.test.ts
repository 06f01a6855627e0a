import t from 'tap';
import { encodeContent } from '../../../src/protocol/clipboard.js';
import type { Launch } from '../../../src/protocol/generated/schemas.js';
import { ANDROID_CLIPBOARD_MAX_BYTES, MessageType } from '../../../src/protocol/message-type.js';
import { encodeClipboard } from '../../../src/protocol/viewer-messages.js';
import { SESSION, startSession } from '../../fixtures/services/session-host.js';
import { StreamClient } from '../../fixtures/viewers/stream-client.js';
import { until } from '../../fixtures/until.js';

const launch: Launch = {
  type: 'launch',
  kind: 'android',
  display: { width: 720, height: 1280, fps: 30, max_area: 720 * 1280, quality: 'smooth', hide_cursor: true },
  android: {
    device: { type: 'emulator' },
    density: 320,
    deadlines: { connect: 30_000, boot: 180_000, picture: 20_000, lost: 120_000 },
  },
};
const device = { type: 'device', android: '14', api_level: 34, sound: true, store: false } as const;

t.test('viewers see each step of the start', async t => {
  const { agent, url } = await startSession(t, { launch });
  const viewer = await StreamClient.join(url);
  agent.tell({ type: 'state', state: 'starting', step: 'boot', message: 'The device is starting ...' });
  agent.tell({ type: 'state', state: 'starting', step: 'app', message: 'The app is being installed ...' });
  const { message } = await viewer.heard('session', ({ step }) => step === 'app');
  t.equal(message, 'The app is being installed ...');
  t.ok(viewer.all('session').some(({ step }) => step === 'boot'));
});

t.test('all viewers are told what the device is like, later ones at once', async t => {
  const { agent, url } = await startSession(t, { launch });
  const one = await StreamClient.join(url);
  agent.tell(device);
  agent.tell(device);
  agent.tell({ ...device, sound: false });
  await one.heard('device', ({ sound }) => !sound);
  t.same(one.all('device'), [device, { ...device, sound: false }], 'what is repeated is told once');
  const two = await StreamClient.join(url);
  t.same(two.all('device'), [{ ...device, sound: false }]);
});

t.test('notices of the agent are told once to those who are there', async t => {
  const { agent, url } = await startSession(t, { launch });
  const one = await StreamClient.join(url);
  agent.tell({ type: 'notice', code: 'text_not_typed', message: 'It was not typed.' });
  await one.heard('notice', ({ code }) => code === 'text_not_typed');
  const two = await StreamClient.join(url);
  t.same(two.all('notice'), []);
});

t.test('the size is the device’s own', async t => {
  const { agent, url } = await startSession(t, { launch });
  const viewer = await StreamClient.join(url);
  viewer.tell({ type: 'resize', width: 400, height: 400 });
  await viewer.heard('refused', ({ code }) => code === 'not_resizable');
  t.same(agent.messages(MessageType.setDisplay), []);
});

t.test('a text too long for its clipboard is refused in words', async t => {
  const { agent, url } = await startSession(t, { launch });
  const viewer = await StreamClient.join(url);
  viewer.send(encodeClipboard('x'.repeat(ANDROID_CLIPBOARD_MAX_BYTES)));
  await until('it has come', () => agent.messages(MessageType.clipboard).length === 1);
  viewer.send(encodeClipboard('x'.repeat(ANDROID_CLIPBOARD_MAX_BYTES + 1)));
  const { message } = await viewer.heard('refused', ({ code }) => code === 'clipboard_too_large');
  t.match(message, String(ANDROID_CLIPBOARD_MAX_BYTES));
  t.equal(agent.messages(MessageType.clipboard).length, 1);
});

t.test('of rich content it gets the text', async t => {
  const { agent, url } = await startSession(t, { launch });
  const viewer = await StreamClient.join(url);
  t.equal((await viewer.heard('welcome')).clipboard_content, undefined);
  viewer.send(encodeContent({ text: 'né', html: '<b>né</b>', picture: new Uint8Array() }));
  await until('it has come', () => agent.messages(MessageType.clipboard).length === 1);
  t.equal(agent.messages(MessageType.clipboard)[0]?.bytes.toString('utf8', 1), 'né');
});

t.test('each finger reaches the device, of one viewer at a time', async t => {
  const { agent, url } = await startSession(t, { launch });
  const [one, two] = [await StreamClient.join(url), await StreamClient.join(url)];
  const touch = (x: number) => ({ type: 'touch', phase: 'start', points: [{ id: 0, x, y: 9 }] }) as const;
  one.input(touch(1));
  await until('the first is there', () => agent.messages(MessageType.touch).length === 1);
  two.input(touch(2));
  two.tell({ type: 'call', id: 1, method: 'android.nothing', args: [] });
  await two.heard('result', ({ id }) => id === 1);
  t.equal(agent.messages(MessageType.touch).length, 1, 'the second viewer waits');
  one.leave();
  await until('its finger is lifted', () => agent.messages(MessageType.touch).length === 2);
});

t.test('calls need the roles, and for all but the log control', async t => {
  const { agent, host, url } = await startSession(t, { launch });
  agent.onCall = (method, args) => ({ value: { method, args } });
  const admin = await StreamClient.join(url, { admin_token: `admin-${SESSION}` });
  const viewer = await StreamClient.join(url);
  let id = 0;
  const call = async (by: StreamClient, method: string, args: unknown[]) => {
    const own = ++id;
    by.tell({ type: 'call', id: own, method, args });
    const result = await by.heard('result', each => each.id === own);
    return result.error?.code ?? 'done';
  };
  t.equal(await call(viewer, 'android.key', ['back']), 'done');
  t.equal(await call(viewer, 'android.rotate', []), 'done');
  t.equal(await call(viewer, 'android.open', ['org.example']), 'done');
  t.equal(await call(viewer, 'android.location', [48, 2]), 'done');
  t.equal(await call(viewer, 'android.install', ['upload']), 'role_required');
  t.equal(await call(viewer, 'android.logs', []), 'admin_required');
  t.equal(await call(viewer, 'android.clean', []), 'unknown_method');
  t.equal(await call(viewer, 'android.key', ['; reboot']), 'invalid_arguments');
  t.equal(await call(viewer, 'android.open', ['org.example; reboot']), 'invalid_arguments');
  t.equal(await call(viewer, 'tabs.query', [{}]), 'not_a_browser');
  t.equal(await call(viewer, 'takeSeat', []), 'not_a_console');
  for (const [method, args] of [
    ['android.install', ['upload']],
    ['android.logs', [10]],
    ['files.drop', [['upload'], 0.5, 0.5]],
  ] as const)
    t.equal(await call(admin, method, [...args]), 'done', method);
  await host.perform('setPermissions', [admin.all('welcome')[0]?.user_id, { control_exclusive: true }]);
  t.equal(await call(viewer, 'android.key', ['home']), 'control_taken');
  await host.perform('addRoles', [[viewer.all('welcome')[0]?.user_id], ['file_upload']]);
  t.equal(await call(viewer, 'files.drop', [['upload'], 0.5, 0.5]), 'control_taken');
  t.equal(await call(admin, 'android.key', ['home']), 'done');
});

t.test('other kinds are no devices', async t => {
  const { host } = await startSession(t);
  await t.rejects(host.perform('android.key', ['home']), { code: 'not_an_android' });
});

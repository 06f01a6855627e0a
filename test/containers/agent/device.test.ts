// tags: containers
import t from 'tap';
import { fromHelper } from '../../../src/protocol/display-helper.js';
import { MessageType, VideoFlag } from '../../../src/protocol/message-type.js';
import { launchAndroid } from '../../fixtures/android/launch.js';
import { StandIn, type StandInEvent } from '../../fixtures/android/stand-in.js';
import { until } from '../../fixtures/until.js';
import { Computer } from './computer.js';
import { Service } from './service.js';

const device = await StandIn.start(t);
await device.set('settings/accelerometer_rotation', '1');
await device.set('clipboard', 'of a session before');
// Not every device has every command that would be good to have.
await device.run('rm /usr/local/bin/input');
const computer = await Computer.start(t, { image: 'android-device' });
const service = await Service.connect(t, computer);

const LONG_MS = 120_000;
const sizes = () =>
  service.of(MessageType.display).map(message => {
    const { width, height } = fromHelper.display.decode(message) ?? {};
    return `${width}x${height}`;
  });
const frames = (from: number) =>
  service.of(MessageType.video, from).flatMap(message => fromHelper.video.decode(message) ?? []);
const touches = (events: readonly StandInEvent[]) =>
  events.map(({ action, pointer, x, y, dropped }) => [action, pointer, x, y, dropped]);
const [DOWN, UP, MOVE] = [0, 1, 2];

t.before(async () => {
  service.watch(true, true);
  service.tell(launchAndroid(device.host));
  await until('it runs', () => service.state === 'running', LONG_MS).catch(async error => {
    t.comment(JSON.stringify(service.states), await computer.log());
    throw error;
  });
});

t.test("a device's picture reaches the link, and the steps before it are told", async t => {
  t.same(
    service.states.map(({ state, step }) => step ?? state),
    ['idle', 'starting', 'connect', 'boot', 'clean', 'app', 'picture', 'running'],
  );
  await until('a key frame', () => service.keyFrames().length > 0);
  t.same(sizes(), ['720x1280']);
  t.match(
    service.heard.find(({ type }) => type === 'device'),
    { android: '14', api_level: 34, sound: true, store: false },
  );
});

t.test('there is no X server and no sound server', async t => {
  t.same(await computer.pids(/^\S*(Xorg|Xvfb|pulseaudio|pipewire|berth-display)\b/), []);
});

t.test('what a session before has left in the clipboard is gone', async () => {
  await until('it is empty', async () => (await device.run('cat /stand-in/clipboard')) === '');
});

t.test('what a device lacks is in the log, and does not keep it from being used', async t => {
  t.match(await computer.log(), /"device not set up in everything","failed":"input keyevent KEYCODE_WAKEUP"/);
});

t.test('sound comes in packets of 20 ms, without the configuration', async t => {
  await until('half a second of it', () => service.of(MessageType.audio).length > 25, LONG_MS);
  const times = service.of(MessageType.audio).map(message => Number(fromHelper.audio.decode(message)?.time));
  const steps = times.slice(1).map((time, index) => time - (times[index] as number));
  t.ok(Math.abs(steps.reduce((sum, step) => sum + step, 0) / steps.length - 20_000) < 5000, `${steps.join()} µs`);
  for (const message of service.of(MessageType.audio))
    t.notOk(fromHelper.audio.bodyOf(message).subarray(0, 8).equals(Buffer.from('OpusHead')));
});

t.test('ten fingers, keys and text reach the device', async t => {
  await device.forget();
  const points = Array.from({ length: 10 }, (_, id) => ({ id, x: id / 9, y: 0.5 }));
  service.input({ type: 'touch', phase: 'start', points });
  service.input({ type: 'touch', phase: 'move', points: points.map(point => ({ ...point, y: 0.25 })) });
  service.input({ type: 'touch', phase: 'end', points: [] });
  const place = (y: number) => points.map(({ id, x }) => [id, Math.round(x * 719), Math.round(y * 1279), false]);
  t.same(touches(await device.logged('touch', 30)), [
    ...place(0.5).map(touch => [DOWN, ...touch]),
    ...place(0.25).map(touch => [MOVE, ...touch]),
    ...place(0.25).map(touch => [UP, ...touch]),
  ]);
  service.press(0x61);
  service.input({ type: 'text', text: '你好 😀' });
  t.match(await device.logged('key', 2), [
    { action: 0, code: 29 },
    { action: 1, code: 29 },
  ]);
  t.match(await device.logged('pasted'), [{ text: '你好 😀' }]);
  t.match((await device.logged('clipboard', 2)).at(-1), { text: '', paste: false }, 'the former clipboard is back');
});

t.test('the clipboard goes both ways', async t => {
  const from = service.messages.length;
  await device.set('copied', 'from the device');
  await until('it came', () => service.of(MessageType.clipboard, from).length > 0);
  t.equal(service.of(MessageType.clipboard, from)[0]?.subarray(1).toString(), 'from the device');
  await device.forget();
  service.send(Buffer.concat([Buffer.of(MessageType.clipboard), Buffer.from('from a viewer')]));
  t.match(await device.logged('clipboard'), [{ text: 'from a viewer', paste: false }]);
});

t.test('a finger that is held while the device turns is lifted on the new size', async t => {
  await device.forget();
  service.input({ type: 'touch', phase: 'start', points: [{ id: 2, x: 0.5, y: 0.25 }] });
  await device.logged('touch');
  await service.call('android.rotate', 'landscape');
  await until('the new size', () => sizes().at(-1) === '1280x720', LONG_MS);
  t.same(touches(await device.logged('touch', 2)), [
    [DOWN, 2, 360, 320, false],
    [UP, 2, 640, 180, false],
  ]);
  const told = service.messages.findLastIndex(([type]) => type === MessageType.display);
  const next = service.messages.slice(told).find(([type]) => type === MessageType.video);
  t.ok(((next?.[1] ?? 0) & VideoFlag.key) !== 0, 'the first frame after it is a key frame');
  service.input({ type: 'touch', phase: 'end', points: [] });
});

t.test('a device that cannot change to another bit rate goes on with its own', async t => {
  await device.set('server', 'broken');
  service.send(Buffer.of(MessageType.rate, 0xd0, 0x07, 0, 0));
  await until('it is in the log', async () => (await computer.log()).includes('bit rate not changed'), LONG_MS);
  await device.run('rm /stand-in/server');
  const from = service.messages.length;
  service.press(0x61);
  await until('another frame', () => frames(from).length > 0);
  t.equal(service.state, 'running');
});

t.test('another bit rate comes from a second server, with its key frame and without a gap', async t => {
  await device.forget();
  const from = service.messages.length;
  const last = frames(0).at(-1)?.frame ?? 0;
  service.send(Buffer.of(MessageType.rate, 0xdc, 0x05, 0, 0));
  const [server] = await device.logged('server');
  t.ok((server?.args as string[]).includes('video_bit_rate=1000000'));
  const [first] = await until('a frame', () => frames(from).length > 0 && frames(from), LONG_MS);
  t.match(first, { flags: VideoFlag.key, frame: last + 1 });
});

t.test('a viewer that joins on a still screen gets a key frame, and several of them cause one reset', async t => {
  let from = service.messages.length;
  service.input({ type: 'touch', phase: 'start', points: [{ id: 1, x: 0.5, y: 0.5 }] });
  await until('a picture with the finger', () => frames(from).length > 0, LONG_MS);
  service.input({ type: 'touch', phase: 'end', points: [] });
  await until('one without it', () => frames(from).length > 1, LONG_MS);
  await device.forget();
  from = service.messages.length;
  for (let viewer = 0; viewer < 3; viewer++) service.send(Buffer.of(MessageType.keyframe));
  await until('a key frame', () => service.keyFrames(from).length > 0, LONG_MS);
  const [first] = service.keyFrames(from);
  from = service.messages.length;
  service.send(Buffer.of(MessageType.keyframe));
  await until('one for who comes later', () => service.keyFrames(from).length > 0, LONG_MS);
  t.same(
    fromHelper.video.bodyOf(service.keyFrames(from)[0] as Buffer),
    fromHelper.video.bodyOf(first as Buffer),
    'the same one',
  );
  t.equal((await device.events('reset')).length, 1);
});

t.test('calls', async t => {
  await device.forget();
  t.same(await service.call('android.key', 'recents'), {});
  t.match(await device.logged('key', 2), [{ code: 187 }, { code: 187 }]);
  await t.rejects(service.call('android.open', 'org.not.there'), { code: 'app_not_available' });
  await device.set('apps/org.there', '');
  t.same(await service.call('android.open', 'org.there'), {});
  t.equal(await device.run('cat /stand-in/foreground'), 'org.there');
  t.match(await service.call('android.logs', 3), /^.*line 18\n.*line 19\n.*line 20$/);
  await t.rejects(service.call('android.location', 1, 2), { code: 'not_supported' });
  const response = await computer.screenshot('?width=100');
  t.equal(response.headers.get('content-type'), 'image/png');
});

t.test('fingers and keys of a lost link are lifted', async t => {
  await device.forget();
  const other = await Service.connect(t, computer);
  other.input({ type: 'touch', phase: 'start', points: [{ id: 1, x: 0.5, y: 0.5 }] });
  other.input({ type: 'key', down: true, keysym: 0x61 });
  await device.logged('key');
  other.close();
  t.same(
    (await device.logged('touch', 2)).map(({ action, pointer, dropped }) => [action, pointer, dropped]),
    [
      [DOWN, 1, false],
      [UP, 1, false],
    ],
  );
  t.match(await device.logged('key', 2), [
    { action: 0, code: 29 },
    { action: 1, code: 29 },
  ]);
});

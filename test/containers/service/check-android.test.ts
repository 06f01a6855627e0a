// tags: containers
/** `make check-android`, as an operator runs it, with a stand-in for a device of a pool. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import t, { type Test } from 'tap';
import { opens } from '../../../scripts/check-android/machine.js';
import { docker } from '../../fixtures/engines/docker.js';
import { imageName } from '../../fixtures/engines/images.js';
import { StandIn } from '../../fixtures/android/stand-in.js';

const device = await StandIn.start(t);
await device.run('mkdir -p /stand-in/apps; : >/stand-in/apps/com.android.vending');

/** Runs the script itself: make would build everything first. */
async function check(t: Test, env: Record<string, string>) {
  const child = spawn(process.execPath, ['--import', 'tsx', 'scripts/check-android.ts'], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const [code] = (await once(child, 'close')) as [number | null];
  const lines = [...output.matchAll(/^(PASS|FAIL|SKIP) {2}(.{15}) {2}(.*)$/gm)];
  const named = (part: number) => Object.fromEntries(lines.map(line => [(line[2] ?? '').trim(), line[part] ?? '']));
  t.comment(output);
  const left = await docker('ps', '-aq', '--filter', `label=berth.instance=berth-test-android-${child.pid}`);
  t.equal(left, '', 'no container is left');
  return { code, verdicts: named(1), words: named(3) };
}

const pool = { BERTH_ANDROID_DEVICES: 'adb', BERTH_ANDROID_ADB: `${device.host}:5555` };

t.test('a device that does all that sessions need passes', async t => {
  const { code, verdicts, words } = await check(t, pool);
  t.same(verdicts, {
    'processor flags': 'SKIP',
    '/dev/kvm': 'SKIP',
    guest: 'PASS',
    adb: 'PASS',
    'scrcpy version': 'PASS',
    'first picture': 'PASS',
    SPS: 'PASS',
    sound: 'PASS',
    touch: 'PASS',
    rotation: 'PASS',
    'Unicode text': 'PASS',
    install: 'PASS',
    store: 'PASS',
    egress: 'PASS',
    memory: 'PASS',
    'boot seconds': 'PASS',
  });
  t.equal(code, 0);
  t.match(words['first picture'], /720 x 1280/);
  t.match(words['memory'], /at most [1-9]\d* of its \d+ MiB/);
  t.equal(await device.run('ls /stand-in/apps'), 'com.android.vending', 'nothing is left on the device');
});

t.test('a device without a picture fails, and what needs one is not tried', async t => {
  await device.run('echo broken >/stand-in/server');
  const { code, verdicts, words } = await check(t, { ...pool, BERTH_ANDROID_PICTURE_TIMEOUT: '5' });
  await device.run('rm /stand-in/server');
  t.equal(code, 1);
  t.match(verdicts, { guest: 'PASS', adb: 'PASS', 'scrcpy version': 'FAIL', touch: 'SKIP', install: 'SKIP' });
  t.match(words, {
    'scrcpy version': /no_picture: The device sent no picture within 5 s/,
    touch: 'Not tried, since "scrcpy version" failed.',
  });
});

t.test('without virtual machines, or the image, it says so and starts nothing', async t => {
  const { code, verdicts } = await check(t, {
    BERTH_ANDROID_DEVICES: 'emulator',
    BERTH_IMAGE_PREFIX: 'berth-test.invalid',
  });
  t.equal(code, 1);
  t.match(verdicts, { '/dev/kvm': 'FAIL', guest: 'SKIP', 'boot seconds': 'SKIP' });
});

t.test("a device is opened as the session's user", async t => {
  const image = imageName('android-device');
  const container = `berth-test-opens-${process.pid}`;
  const able = { image, device: '/dev/null', group: 12345, container };
  t.match(await opens(able), /in the group 12345, can open/);
  await t.rejects(opens({ ...able, device: '/dev/loop-control' }), {
    message: /cannot open \/dev\/loop-control: /,
  });
  await t.rejects(opens({ ...able, group: null }), { message: /BERTH_ANDROID_KVM_GROUP/ });
  await t.rejects(opens({ ...able, image: 'berth-test.invalid/none' }), { message: /No such image/i });
});

// tags: containers
/** The agent with a fake emulator, which is not Google's, and a stand-in for its device. */
import t, { type Test } from 'tap';
import type { LaunchAndroid } from '../../../src/protocol/generated/schemas.js';
import { launchAndroid } from '../../fixtures/android/launch.js';
import { buildImage } from '../../fixtures/engines/docker.js';
import { imageName } from '../../fixtures/engines/images.js';
import { StandIn } from '../../fixtures/android/stand-in.js';
import { until } from '../../fixtures/until.js';
import { Computer } from './computer.js';
import { Service } from './service.js';

const LONG_MS = 120_000;
const EMULATOR = /^node \/opt\/android-sdk\/emulator\/emulator /;
/** A device that everybody may use, in the place of that for virtual machines. */
const KVM = ['--device', '/dev/null:/dev/kvm'];

const device = await StandIn.start(t);
const image = await buildImage(
  ...['--build-arg', `DEVICE_IMAGE=${imageName('android-device')}`],
  ...['-t', 'berth-test/fake-emulator', 'test/fixtures/android/fake-emulator'],
);

const locale = { language: 'de', country: 'AT' };

interface StartOptions {
  args?: readonly string[];
  deadlines?: Partial<LaunchAndroid['android']['deadlines']>;
}

/** Starts a session with an emulator; `works`: whether it has a device. */
async function start(t: Test, works: boolean, { args = KVM, deadlines = {} }: StartOptions = {}) {
  const computer = await Computer.start(t, { other: { image, args: ['--volume', '/avd', ...args] } });
  if (works) await computer.exec('sh', '-c', `echo ${device.host} >/tmp/fake-emulator`);
  const service = await Service.connect(t, computer);
  const launch = launchAndroid('', {
    device: { type: 'emulator', memory_mb: 3000, cpus: 3, disk_mb: 5000 },
    locale,
    deadlines: { connect: 30_000, boot: 180_000, picture: 20_000, lost: 120_000, ...deadlines },
  });
  service.tell(launch);
  const is = (wanted: string) =>
    until(`it is ${wanted}`, () => service.state === wanted, LONG_MS).catch(async error => {
      t.comment(JSON.stringify(service.states), await computer.log());
      throw error;
    });
  const noted = async () => {
    const lines = (await computer.exec('cat', '/tmp/fake-emulator.log')).trimEnd().split('\n');
    return lines.map(line => JSON.parse(line) as { args: string[]; env: object; place?: string });
  };
  return { computer, service, is, noted };
}

t.test('an emulator is started and kept running', async t => {
  const { computer, service, is, noted } = await start(t, true);
  await is('running');
  t.same(
    service.states.map(({ state, step }) => step ?? state),
    ['idle', 'starting', 'emulator', 'connect', 'boot', 'clean', 'app', 'picture', 'running'],
  );
  await t.test('without window, and with its own folders', async t => {
    const [first] = await noted();
    t.same(first, {
      args: [
        ...['-avd', 'berth', '-ports', '5554,5555', '-gpu', 'swiftshader_indirect', '-accel', 'on'],
        ...['-no-window', '-no-boot-anim', '-no-snapshot', '-no-metrics', '-change-locale', 'de-AT'],
      ],
      env: { ANDROID_AVD_HOME: '/avd', ANDROID_USER_HOME: '/home/berth/.android' },
    });
    const config = await computer.exec('cat', '/avd/berth.avd/config.ini');
    for (const line of [
      'disk.dataPartition.size=5000M',
      'hw.cpu.arch=x86_64',
      'hw.cpu.ncore=3',
      'hw.lcd.density=320',
      'hw.lcd.height=1280',
      'hw.lcd.width=720',
      'hw.ramSize=3000',
      'image.sysdir.1=system-images/android-34/google_apis_playstore/x86_64/',
      'PlayStore.enabled=yes',
    ])
      t.ok(config.split('\n').includes(line), line);
    t.match(await computer.exec('cat', '/avd/berth.ini'), /^path=\/avd\/berth\.avd$/m);
  });
  await t.test('with a key that only the session has', async t => {
    t.match(await computer.exec('cat', '/home/berth/.android/adbkey'), /^-----BEGIN PRIVATE KEY-----\n/);
    t.match(await computer.exec('stat', '-c', '%a', '/home/berth/.android/adbkey'), /^600\n$/);
  });
  await t.test('its device can be told where it is', async t => {
    t.same(await service.call('android.location', 48.2, 16.37, 171), {});
    t.equal((await noted()).at(-1)?.place, '16.37 48.2 171');
  });
  await t.test('it outlives the agent', async () => {
    const before = await computer.pids(EMULATOR);
    await computer.kill(/agent\/load\.cjs/);
    const next = await Service.connect(t, computer);
    await until('it runs again', () => next.state === 'running', LONG_MS);
    t.same(await computer.pids(EMULATOR), before);
  });
  await t.test('one that dies is started again', async t => {
    const next = await Service.connect(t, computer);
    await computer.kill(EMULATOR);
    await until('it is lost', () => next.state === 'restarting', LONG_MS);
    await until('it is back', () => next.state === 'running', LONG_MS);
    t.equal((await computer.pids(EMULATOR)).length, 1);
  });
});

t.test('one that cannot run ends the session, and its last words are in the log', async t => {
  const { computer, service, is } = await start(t, false);
  await is('failed');
  t.match(service.states.at(-1), {
    cause: 'crash',
    code: 'emulator_failed',
    message: /^The emulator ended too often: /,
  });
  t.match(await computer.log(), 'FATAL | nothing to run');
});

t.test('one whose device does not boot in time ends the session, which is not idle meanwhile', async t => {
  await device.set('props/sys.boot_completed', '');
  t.teardown(() => device.run('rm /stand-in/props/sys.boot_completed'));
  const { service, is } = await start(t, true, { deadlines: { boot: 4000 } });
  await until('it boots', () => service.states.at(-1)?.step === 'boot', LONG_MS);
  const told = service.activities.length;
  await is('failed');
  t.match(service.states.at(-1), {
    cause: 'content',
    code: 'boot_timeout',
    message: 'The device did not finish booting within 4 s.',
  });
  const idle = service.activities.slice(told).map(({ idle_ms }) => idle_ms);
  t.ok(idle.length > 2 && Math.max(...idle) < 4000, `the inactive timeout waits: ${idle.join()}`);
});

t.test('without virtual machines the session says so', async t => {
  const { service, is } = await start(t, true, { args: [] });
  await is('failed');
  t.match(service.states.at(-1), { cause: 'content', code: 'no_kvm', message: /\/dev\/kvm is missing, or closed/ });
});

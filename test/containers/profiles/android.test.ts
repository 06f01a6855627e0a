// tags: containers
/** Profiles of emulators, with a fake emulator whose device is a stand-in. */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import t from 'tap';
import { AndroidSession } from '../../fixtures/android/session.js';
import { buildImage, containerOf, docker, hostAddress } from '../../fixtures/engines/docker.js';
import { engineProxy } from '../../fixtures/engines/proxy.js';
import { imageName } from '../../fixtures/engines/images.js';
import { startService } from '../../fixtures/services/service.js';
import { StandIn } from '../../fixtures/android/stand-in.js';
import { until } from '../../fixtures/until.js';

const LONG_MS = 120_000;
const PREFIX = `berth-test-emulator-${process.pid}`;
const IMAGE = `${PREFIX}/android`;

/** Not every machine has the device for virtual machines: a session gets one that everybody may use in its place. */
const KVM = '"PathOnHost":"/dev/kvm","PathInContainer":"/dev/kvm","CgroupPermissions":"rw"';
const NULL = '"PathOnHost":"/dev/null","PathInContainer":"/dev/kvm","CgroupPermissions":"r"';

const device = await StandIn.start(t);
const host = `${await hostAddress()}:${await relay()}`;
const engine = await engineProxy(t, asked => asked.replace(KVM, NULL));

/** Makes the image of sessions, as one with another system image where the fingerprint differs. */
const build = (fingerprint: string) =>
  buildImage(
    ...['--build-arg', `DEVICE_IMAGE=${imageName('android-device')}`],
    ...['--build-arg', `HOST=${host}`, '--build-arg', `FINGERPRINT=${fingerprint}`],
    ...['-t', IMAGE, 'test/fixtures/android/fake-emulator'],
  );

await build('one');
t.teardown(() => docker('rmi', '-f', IMAGE));
const service = await startService(t, {
  BERTH_REGIONS: `NA=${engine.address}`,
  BERTH_IMAGE_PREFIX: PREFIX,
  BERTH_ANDROID_KVM_GROUP: '12345',
  BERTH_ANDROID_QUOTA: 'false',
  BERTH_PROFILE_CHECKPOINT: '1',
  // The stand-in is behind a private address.
  BERTH_EGRESS: 'open',
});

/** A port of this host that leads to the stand-in, which containers of another network do not reach. */
async function relay(): Promise<number> {
  const server = createServer(client => {
    const adbd = connect(5555, device.host);
    client.on('error', () => undefined).on('close', () => adbd.destroy());
    adbd.on('error', () => undefined).on('close', () => client.destroy());
    client.pipe(adbd).pipe(client);
  }).listen(0, '0.0.0.0');
  t.teardown(() => server.close());
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

/** Starts a session and gives what its device's disk held. */
async function start(profile: unknown) {
  const session = await AndroidSession.start(service, { profile });
  await until('it runs', async () => (await session.state()) === 'running', LONG_MS);
  const log = await docker('exec', containerOf(service, session.id), 'cat', '/tmp/fake-emulator.log');
  const disks = log.split('\n').flatMap(line => (JSON.parse(line) as { data?: string }).data ?? []);
  return { session, disks };
}

let first = '';

t.test("a device's data are saved when it has been shut down, and loaded", async t => {
  const { session, disks } = await start(true);
  first = session.id;
  t.same(disks, ['']);
  await session.end();
  t.same((await device.logged('tool')).filter(({ name }) => name === 'svc').at(-1)?.['args'], ['power', 'shutdown']);
  const next = await start(first);
  t.same(next.disks, ['shut down\n']);
  await next.session.end();
});

t.test('they can be loaded without being saved', async t => {
  const { session, disks } = await start({ load: first });
  t.same(disks, ['shut down\nshut down\n']);
  await session.end();
});

t.test('with another system image or emulator the start is refused, and says so', async t => {
  await build('two');
  const { status, body } = await service.api('POST', '/v0/android', { profile: { load: first } });
  t.match(
    { status, body },
    {
      status: 422,
      body: { code: 'profile_wrong_device', message: 'The profile was saved with another system image or emulator.' },
    },
  );
});

// tags: containers, cluster
/**
 * Android sessions with an emulator as Pods: a fake emulator whose device is a stand-in, and a device plugin of the test
 * that gives /dev/null in the place of /dev/kvm.
 */
import t from 'tap';
import { AndroidSession } from '../fixtures/android/session.js';
import { showsColour, watchAndroid } from '../fixtures/android/viewer.js';
import { openBrowser } from '../fixtures/viewers/browser.js';
import { testCluster } from '../fixtures/kubernetes/cluster.js';
import { startDevicePlugin } from '../fixtures/kubernetes/device-plugin.js';
import { buildImage, docker } from '../fixtures/engines/docker.js';
import { imageName } from '../fixtures/engines/images.js';
import { startService } from '../fixtures/services/service.js';
import { StandIn } from '../fixtures/android/stand-in.js';
import { until } from '../fixtures/until.js';

const LONG_MS = 120_000;
const NODE = 'node2';
const RESOURCE = 'berth.example/kvm';
/** The stand-in's pictures: nothing happens, a key is held. */
const IDLE = [96, 96, 96];
const KEY = [32, 32, 255];
const IMAGE = `berth-test-emulator-${process.pid}/android:0.1.0-fake`;

const device = await StandIn.start(t);
await buildImage(
  ...['--build-arg', `DEVICE_IMAGE=${imageName('android-device')}`, '--build-arg', `HOST=${device.host}`],
  ...['-t', IMAGE, 'test/fixtures/android/fake-emulator'],
);
t.teardown(() => docker('rmi', '-f', IMAGE));
const cluster = await testCluster(t, { ownNodes: true });
await cluster.load(IMAGE, NODE);
const service = await startService(t, {
  ...cluster.env,
  BERTH_KUBERNETES_IMAGES: `${cluster.env['BERTH_KUBERNETES_IMAGES']},android=${IMAGE}`,
  BERTH_KUBERNETES_KVM_RESOURCE: RESOURCE,
  BERTH_KUBERNETES_ANDROID_NODES: `kubernetes.io/hostname=${NODE}`,
  BERTH_ANDROID_MEMORY_MB: '2048',
  BERTH_ANDROID_DISK_MB: '2048',
  // The stand-in is behind a private address.
  BERTH_EGRESS_ALLOW: `${device.host}/32`,
});

t.test('a device plugin gives its Pod the device, and it is watched and used', async t => {
  await startDevicePlugin(cluster, { node: NODE, resource: RESOURCE, path: '/dev/kvm', device: '/dev/null' });
  const capacity = `--output=jsonpath={.status.allocatable.${RESOURCE.replaceAll('.', '\\.')}}`;
  await until('the node has it', async () => Number(await cluster.kubectl('get', 'node', NODE, capacity)) > 0);

  const session = await AndroidSession.start(service);
  const [pod = ''] = await cluster.pods(session.id);
  t.equal(await cluster.kubectl('get', 'pod', pod, '--output=jsonpath={.spec.nodeName}'), NODE);
  t.equal((await cluster.inPod(pod, 'stat -c %F /dev/kvm')).trim(), 'character special file');
  const viewer = await watchAndroid(await openBrowser(t), session);
  t.teardown(() => viewer.close());
  const shows = (colour: readonly number[]) => showsColour(viewer, 360, 640, colour, LONG_MS);
  await shows(IDLE);
  await viewer.page.evaluate(() => document.querySelector<HTMLElement>('#session')?.focus());
  // Once, on a busy machine, a key that was held was not seen; why is not known.
  await until(
    'a held key is seen',
    async () => {
      await viewer.page.keyboard.down('a');
      const isSeen = await showsColour(viewer, 360, 640, KEY, 10_000).then(
        () => true,
        () => false,
      );
      if (!isSeen) await viewer.page.keyboard.up('a');
      return isSeen;
    },
    LONG_MS,
  );
  await viewer.page.keyboard.up('a');
  await shows(IDLE);

  await session.end();
  await until('the Pod is gone', async () => (await cluster.pods()).length === 0, LONG_MS);
});

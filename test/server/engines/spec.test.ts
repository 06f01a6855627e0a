import t from 'tap';
import { COMMON_PREPARATION } from '../../../src/protocol/preparation.js';
import type { KindName } from '../../../src/server/model/index.js';
import { macOf } from '../../../src/server/engines/docker/device-network.js';
import { namesOf } from '../../../src/server/engines/docker/names.js';
import { networkSpec } from '../../../src/server/engines/docker/network.js';
import { checkKvmGroup, deviceError, missingIn } from '../../../src/server/engines/docker/requirements.js';
import { containerSpec } from '../../../src/server/engines/docker/spec.js';

const limits = {
  memoryMb: 1024,
  cpus: 1.5,
  pids: 300,
  shmMb: 256,
  tmpMb: 100,
  homeMb: 200,
  connections: 100,
  connectionRate: 10,
};
const roms = { maxBytes: 100 << 20 };
const settings = {
  names: namesOf('berth'),
  limits,
  roms,
  imagePrefix: 'berth',
  seccomp: '{}',
  apparmor: null,
  runtime: null,
  publishAt: null,
  ps1BiosFolder: null,
  gpu: null,
  emulator: { memoryMb: 4096, cpus: 3, diskMb: 6000, quota: true, kvmGroup: 108 },
  caCertificates: [],
};
const request = { sessionId: 'AAAAAAAAAAAAAAAAAAAAAA', kind: 'chromium', linkSecret: 'link-secret' } as const;
const spec = containerSpec(request, settings);
const host = spec.HostConfig ?? {};

t.test('a container is generic: it gets only what its link needs', async t => {
  t.same(spec.Env, ['BERTH_LINK_SECRET=link-secret', 'BERTH_LINK_VERSION=2']);
  t.equal(spec.Labels?.['berth.link'], '2', 'and the version of the link');
  t.equal(spec.Image, 'berth/chromium:latest');
  t.match(spec.name, /^berth-[0-9a-f]{16}$/, 'nor does its name tell which session it is');
  t.not(spec.name, containerSpec({ ...request, sessionId: 'BBBBBBBBBBBBBBBBBBBBBB' }, settings).name);
  t.equal(spec.Cmd, undefined);
});

t.test('a container that waits is told what to prepare', async t => {
  const { Env = [] } = containerSpec({ ...request, preparation: COMMON_PREPARATION }, settings);
  t.same(Env.slice(0, 2), spec.Env);
  t.equal(Env[2], `BERTH_PREPARE=${JSON.stringify(COMMON_PREPARATION)}`);
  t.equal(Env.length, 3);
});

t.test('a container is told whom its browser trusts besides the usual authorities', async t => {
  const caCertificates = ['-----BEGIN CERTIFICATE-----\nab12\ncd==\n-----END CERTIFICATE-----\n', 'ef34'];
  const { Env = [] } = containerSpec(request, { ...settings, caCertificates });
  t.equal(Env.at(-1), 'BERTH_CA_CERTIFICATES=ab12cd==,ef34');
});

t.test("a session with a pool's device runs on a network of its own, with an address that rules know", async t => {
  const adb = { host: '10.1.2.3', port: 5555 };
  const own = containerSpec({ ...request, kind: 'android', adb }, settings);
  t.equal(own.Image, 'berth/android-device:latest');
  t.equal(own.HostConfig?.NetworkMode, 'berth-devices');
  t.equal(own.MacAddress, macOf(adb));
  t.same(own.NetworkingConfig, { EndpointsConfig: { 'berth-devices': { MacAddress: macOf(adb) } } });
  t.same([own.HostConfig?.CapDrop, own.HostConfig?.Devices, own.HostConfig?.Privileged], [['ALL'], undefined, false]);
  t.equal(spec.MacAddress, undefined);
});

t.test(
  'an emulator gets the device for virtual machines, its group, limits and a volume, and nothing else',
  async t => {
    const { Devices, GroupAdd, Mounts, Memory, MemorySwap, NanoCpus, ...rest } =
      containerSpec({ ...request, kind: 'android' }, settings).HostConfig ?? {};
    t.same(Devices, [{ PathOnHost: '/dev/kvm', PathInContainer: '/dev/kvm', CgroupPermissions: 'rw' }]);
    t.same(GroupAdd, ['108']);
    t.same(Mounts, [
      {
        Type: 'volume',
        Source: '',
        Target: '/avd',
        VolumeOptions: { NoCopy: false, Labels: {}, DriverConfig: { Name: 'local', Options: { size: '13024m' } } },
      },
    ]);
    t.same([Memory, MemorySwap, NanoCpus], [4096 * 2 ** 20, 4096 * 2 ** 20, 3e9]);
    const { Memory: _, MemorySwap: __, NanoCpus: ___, ...others } = host;
    t.same(rest, others, 'as any other session');
  },
);

t.test('it has no privileges', async t => {
  t.equal(spec.User, '1000:1000');
  t.same(host.CapDrop, ['ALL']);
  t.equal(host.CapAdd, undefined);
  t.same(host.SecurityOpt, ['no-new-privileges', 'seccomp={}']);
  t.equal(host.Privileged, false);
  t.equal(host.ReadonlyRootfs, true);
  t.equal(host.IpcMode, 'private');
  t.equal(host.Binds, undefined);
});

t.test("its AppArmor profile and its runtime are the engine's, unless the operator has named others", async t => {
  t.notOk('Runtime' in host);
  const named = containerSpec(request, { ...settings, apparmor: 'berth-session', runtime: 'runsc' }).HostConfig ?? {};
  t.same(named.SecurityOpt, ['no-new-privileges', 'seccomp={}', 'apparmor=berth-session']);
  t.equal(named.Runtime, 'runsc');
});

t.test('an engine that lacks what the settings name is refused with a sentence', async t => {
  const info = {
    Runtimes: { runc: {}, runsc: {} },
    SecurityOptions: ['name=apparmor', 'name=seccomp,profile=default'],
  };
  const nothing = { apparmor: null, runtime: null };
  t.equal(missingIn(info, nothing), null);
  t.equal(missingIn(info, { apparmor: 'berth-session', runtime: 'runsc' }), null);
  t.match(missingIn(info, { ...nothing, runtime: 'kata' }), /^BERTH_RUNTIME is "kata", but .* only runc, runsc;/);
  const without = { ...info, SecurityOptions: ['name=seccomp,profile=default'] };
  t.match(missingIn(without, { ...nothing, apparmor: 'x' }), /^BERTH_APPARMOR is "x", but AppArmor is off/);
  t.equal(missingIn({ SecurityOptions: null, Runtimes: null }, nothing), null);
});

t.test('its writable places are in memory, limited, and cannot hold devices or set-uid programs', async t => {
  const tmpfs = host.Tmpfs as Record<string, string>;
  t.same(Object.keys(tmpfs).sort(), ['/home/berth', '/run/berth', '/tmp']);
  for (const options of Object.values(tmpfs)) t.match(options, /nosuid,nodev,(no)?exec,size=\d+m/);
});

t.test("a console has memory for its game, packed and unpacked, on top of a session's limit", async t => {
  const console = containerSpec({ ...request, kind: 'ps1' }, settings).HostConfig ?? {};
  const space = /size=(\d+)m/.exec((console.Tmpfs as Record<string, string>)['/rom'] ?? '')?.[1];
  t.equal(Number(space), 221);
  t.equal(console.Memory, (1024 + 221) << 20);
  t.equal(console.MemorySwap, console.Memory);
});

t.test('its resources are limited', async t => {
  t.match(host, {
    Memory: 1 << 30,
    MemorySwap: 1 << 30,
    NanoCpus: 1.5e9,
    PidsLimit: 300,
    ShmSize: 256 << 20,
  });
  t.same(host.LogConfig, { Type: 'json-file', Config: { 'max-size': '2m', 'max-file': '2' } });
});

t.test('the engine never restarts or removes it by itself', async t => {
  t.same(host.RestartPolicy, { Name: 'no' });
  t.equal(host.AutoRemove, false);
});

t.test('its port is published only where the engine is on another host, on one address of it', async t => {
  t.equal(host.PortBindings, undefined);
  const remote = containerSpec(request, { ...settings, publishAt: '10.0.0.7' });
  t.same(remote.HostConfig?.PortBindings, { '7000/tcp': [{ HostIp: '10.0.0.7', HostPort: '' }] });
});

t.test("a ps1 gets the operator's BIOS read-only; other kinds do not get it", async t => {
  const given = { ...settings, ps1BiosFolder: '/srv/bios' };
  const mountsOf = (kind: KindName) => containerSpec({ ...request, kind }, given).HostConfig?.Mounts;
  t.same(mountsOf('ps1'), [{ Type: 'bind', Source: '/srv/bios', Target: '/opt/berth/bios', ReadOnly: true }]);
  t.equal(mountsOf('n64'), undefined);
  t.equal(host.Mounts, undefined);
});

t.test(
  "Chromium gets the operator's graphics card, through its group and without the right to create devices",
  async t => {
    const given = { ...settings, gpu: { device: '/dev/dri/renderD129', group: 993 } };
    const hostOf = (kind: KindName) => containerSpec({ ...request, kind }, given).HostConfig ?? {};
    const { Devices, GroupAdd, ...rest } = hostOf('chromium');
    const device = {
      PathOnHost: '/dev/dri/renderD129',
      PathInContainer: '/dev/dri/renderD129',
      CgroupPermissions: 'rw',
    };
    t.same(Devices, [device]);
    t.same(GroupAdd, ['993']);
    t.same(rest, host, 'nothing else is different');
    for (const other of [hostOf('ps1'), host]) t.same([other.Devices, other.GroupAdd], [undefined, undefined]);
  },
);

t.test('an engine without that card is refused with a sentence that names the setting', async t => {
  const error = new Error(
    '(HTTP code 500) server error - error gathering device information while adding custom device "/dev/dri/renderD128": no such file or directory',
  );
  const gpu = { device: '/dev/dri/renderD128', group: 993 };
  t.match(deviceError(error, false, { gpu }), {
    name: 'EngineError',
    message: /^BERTH_GPU is "\/dev\/dri\/renderD128", but .* no such device; .*\.$/,
  });
  t.equal(deviceError(error, false, { gpu: null }), null);
  t.equal(deviceError(new Error('no space left'), false, { gpu }), null);
  t.match(deviceError(error, true, { gpu }), { message: /machine has no \/dev\/kvm, which emulators need: .*\.$/ });
});

t.test('what an emulator lacks is said in words', async t => {
  t.doesNotThrow(() => checkKvmGroup(settings.emulator));
  t.throws(() => checkKvmGroup({ ...settings.emulator, kvmGroup: null }), {
    failure: 'unfit',
    message: /^The emulator of an Android session cannot use \/dev\/kvm: .* BERTH_ANDROID_KVM_GROUP names the group/,
  });
  const error = new Error('create abc: quota size requested but no quota support');
  t.match(deviceError(error, true, { gpu: null }), {
    message: /project quotas \(pquota\), or set BERTH_ANDROID_QUOTA=false\.$/,
  });
  t.equal(deviceError(error, false, { gpu: null }), null);
  const free = { ...settings, emulator: { ...settings.emulator, quota: false } };
  const { Mounts = [] } = containerSpec({ ...request, kind: 'android' }, free).HostConfig ?? {};
  t.same(Mounts[0]?.VolumeOptions?.DriverConfig, { Name: 'local', Options: {} });
});

t.test('containers on the network cannot reach each other', async t => {
  const network = networkSpec(namesOf('berth'));
  t.equal(network.Options['com.docker.network.bridge.enable_icc'], 'false');
  t.equal(network.EnableIPv6, false);
});

t.test('names fit the kernel and differ between instances', async t => {
  const [a, b] = [namesOf('a-rather-long-instance-name-1'), namesOf('a-rather-long-instance-name-2')];
  for (const names of [namesOf('berth'), a, b]) {
    t.ok(names.bridge.length <= 15);
    t.ok(names.forwardChain.length <= 28);
  }
  t.not(a.bridge, b.bridge);
  t.not(a.forwardChain, b.forwardChain);
});

import type { ContainerCreateOptions } from 'dockerode';
import { posix } from 'node:path';
import { agentEnvironment, AVD_PATH, avdMb, gameSpaceMb, hasEmulator } from '../container.js';
import { LINK_VERSION } from '../../../protocol/link-proof.js';
import { AGENT_PORT } from '../../../protocol/message-type.js';
import type { ContainerLimits, EmulatorConfig, GpuConfig, RomConfig } from '../../config/index.js';
import { type Kind, kindOf } from '../../model/index.js';
import type { ContainerRequest } from '../engine.js';
import { macOf } from './device-network.js';
import { Label, type Names } from './names.js';

/** Settings that all containers of an engine share. */
export interface SpecSettings {
  names: Names;
  limits: ContainerLimits;
  roms: Pick<RomConfig, 'maxBytes'>;
  imagePrefix: string;
  /** The seccomp profile's JSON. */
  seccomp: string;
  /** AppArmor profile; null: the engine's default. */
  apparmor: string | null;
  /** Null: the engine's default. */
  runtime: string | null;
  /** Address on which the agent's port is published, if the engine is on another host. */
  publishAt: string | null;
  /** Folder on the engine's machine with a real ps1's BIOS. */
  ps1BiosFolder: string | null;
  /** Null: none. */
  gpu: GpuConfig | null;
  emulator: EmulatorConfig;
  /** Certificates of authorities that sessions trust besides the usual ones, as PEM. */
  caCertificates: readonly string[];
}

const MB = 1024 * 1024;
const USER = '1000';
const OWNED = `uid=${USER},gid=${USER}`;
const AGENT = `${AGENT_PORT}/tcp`;

/** Writable mounts of the read-only container, all without devices and setuid. */
const tmpfs = (limits: ContainerLimits, romMb: number) => ({
  '/tmp': `rw,nosuid,nodev,exec,size=${limits.tmpMb}m,mode=1777`,
  '/run/berth': `rw,nosuid,nodev,noexec,size=16m,mode=0700,${OWNED}`,
  '/home/berth': `rw,nosuid,nodev,noexec,size=${limits.homeMb}m,mode=0700,${OWNED}`,
  ...(romMb === 0 ? {} : { '/rom': `rw,nosuid,nodev,noexec,size=${romMb}m,mode=0700,${OWNED}` }),
});

const imageOf = (kind: Kind, { adb }: ContainerRequest) =>
  adb === undefined ? kind.image : (kind.adbImage ?? kind.image);

const apparmor = ({ apparmor }: SpecSettings) => (apparmor === null ? [] : [`apparmor=${apparmor}`]);

/** Mounts of a container: read-only files that the operator provided for its kind, and an emulator's device. */
function mounts(request: ContainerRequest, { ps1BiosFolder, emulator }: SpecSettings) {
  if (hasEmulator(request)) return { Mounts: [avdVolume(emulator)] };
  if (!kindOf(request.kind).host.bios || ps1BiosFolder === null) return {};
  return { Mounts: [{ Type: 'bind' as const, Source: ps1BiosFolder, Target: '/opt/berth/bios', ReadOnly: true }] };
}

/** A volume that goes with the container. */
const avdVolume = (emulator: EmulatorConfig) => ({
  Type: 'volume' as const,
  Source: '',
  Target: AVD_PATH,
  VolumeOptions: {
    NoCopy: false,
    Labels: {},
    DriverConfig: { Name: 'local', Options: emulator.quota ? { size: `${avdMb(emulator)}m` } : {} },
  },
});

/** A GPU, or the device for virtual machines, with its group. Containers cannot create devices (`m`). */
function devices(request: ContainerRequest, { gpu, emulator }: SpecSettings) {
  if (hasEmulator(request)) return deviceOf('/dev/kvm', '/dev/kvm', emulator.kvmGroup);
  if (!kindOf(request.kind).host.graphicsCard || gpu === null) return {};
  return deviceOf(gpu.device, `/dev/dri/${posix.basename(gpu.device)}`, gpu.group);
}

const deviceOf = (PathOnHost: string, PathInContainer: string, group: number | null) => ({
  Devices: [{ PathOnHost, PathInContainer, CgroupPermissions: 'rw' }],
  ...(group === null ? {} : { GroupAdd: [String(group)] }),
});

/** The network: that of all sessions, or with a device of a pool that of these, where rules know it by its address. */
function network({ adb }: ContainerRequest, { names }: SpecSettings) {
  if (adb === undefined) return { mode: names.network, own: {} };
  const MacAddress = macOf(adb);
  const { network } = names.devices;
  // Engines before API version 1.44 take the first, later ones the second.
  return { mode: network, own: { MacAddress, NetworkingConfig: { EndpointsConfig: { [network]: { MacAddress } } } } };
}

/** A session's container, as the engine's API expects it. */
export function containerSpec(request: ContainerRequest, settings: SpecSettings): ContainerCreateOptions {
  const { limits, names } = settings;
  const kind = kindOf(request.kind);
  const romMb = gameSpaceMb(kind, settings.roms);
  const { mode, own } = network(request, settings);
  const { memoryMb, cpus } = hasEmulator(request) ? settings.emulator : limits;
  const memory = (memoryMb + romMb) * MB;
  return {
    name: names.container(request.sessionId),
    Image: `${settings.imagePrefix}/${imageOf(kind, request)}:latest`,
    Hostname: 'berth',
    User: `${USER}:${USER}`,
    Env: Object.entries(agentEnvironment(request, settings.caCertificates)).map(setting => setting.join('=')),
    Labels: {
      ...names.labels,
      [Label.session]: request.sessionId,
      [Label.kind]: request.kind,
      [Label.link]: String(LINK_VERSION),
      ...(request.warmedBy === undefined ? {} : { [Label.warmedBy]: request.warmedBy }),
    },
    ...own,
    ExposedPorts: { [AGENT]: {} },
    StopTimeout: 3,
    HostConfig: {
      NetworkMode: mode,
      ReadonlyRootfs: true,
      Tmpfs: tmpfs(limits, romMb),
      CapDrop: ['ALL'],
      SecurityOpt: ['no-new-privileges', `seccomp=${settings.seccomp}`, ...apparmor(settings)],
      ...(settings.runtime === null ? {} : { Runtime: settings.runtime }),
      Privileged: false,
      IpcMode: 'private',
      ShmSize: limits.shmMb * MB,
      Memory: memory,
      MemorySwap: memory,
      NanoCpus: Math.round(cpus * 1e9),
      PidsLimit: limits.pids,
      RestartPolicy: { Name: 'no' },
      AutoRemove: false,
      Init: false,
      ...mounts(request, settings),
      ...devices(request, settings),
      LogConfig: { Type: 'json-file', Config: { 'max-size': '2m', 'max-file': '2' } },
      ...(settings.publishAt === null
        ? {}
        : { PortBindings: { [AGENT]: [{ HostIp: settings.publishAt, HostPort: '' }] } }),
    },
  };
}

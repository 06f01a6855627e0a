import { readFileSync, statSync } from 'node:fs';
import { createPrivateKey } from 'node:crypto';
import { isIP } from 'node:net';
import { resolve } from 'node:path';
import { choice, ConfigError, flag, list, number, text, type Environment } from './environment.js';

/** A device that is reached by adb. */
export interface AdbDevice {
  host: string;
  port: number;
}

/** Where Android sessions get their devices. */
export type AndroidDevices =
  | { type: 'emulator' }
  | {
      type: 'adb';
      pool: readonly Readonly<AdbDevice>[];
      /** The key that they trust, as PKCS #8 in PEM; null: they need none. */
      key: string | null;
      /** The operator's own reset of a device, and milliseconds that it may take; null: there is none. */
      reset: { url: string; timeoutMs: number } | null;
    };

/** Android sessions. */
export interface AndroidConfig {
  devices: AndroidDevices;
  /** Concurrent sessions, which count in the limit of all sessions too. */
  maxSessions: number;
  /** Milliseconds; see AndroidDeadlines. */
  deadlines: { connect: number; boot: number; picture: number; lost: number };
  /** Resources of a session with an emulator. */
  emulator: Readonly<EmulatorConfig>;
}

/** Limits and requirements of containers with emulators. */
export interface EmulatorConfig {
  /** Memory of a container, MiB. */
  memoryMb: number;
  cpus: number;
  /** User data of a device, MiB. */
  diskMb: number;
  /** Whether the engine must keep the volume with the device to a size. */
  quota: boolean;
  /** Number of the group that may use /dev/kvm; null: unknown, so that no emulator starts. */
  kvmGroup: number | null;
}

/** The device for virtual machines. */
const KVM = '/dev/kvm';
const READ_AND_WRITE = 0o060;
const LARGEST_GROUP = 2 ** 32 - 2;

const HOST = /^(?=.{1,253}$)[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?(\.[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?)*$/;

/**
 * Settings of Android sessions; `cwd` is the folder that relative paths start from. `isLocal`: all engines run on this
 * machine, so that the group of /dev/kvm can be looked up.
 * @throws ConfigError
 */
export function android(env: Environment, cwd: string, isLocal: boolean): Readonly<AndroidConfig> {
  const seconds = (name: string, fallback: number) =>
    1000 * number(env, `BERTH_ANDROID_${name}_TIMEOUT`, fallback, { min: 1, max: 3600 });
  return Object.freeze({
    devices: Object.freeze(devices(env, cwd)),
    maxSessions: number(env, 'BERTH_ANDROID_MAX_SESSIONS', 2, { min: 0, max: 100_000 }),
    deadlines: Object.freeze({
      connect: seconds('CONNECT', 30),
      boot: seconds('BOOT', 180),
      picture: seconds('PICTURE', 20),
      lost: seconds('LOST', 120),
    }),
    emulator: Object.freeze({
      memoryMb: number(env, 'BERTH_ANDROID_MEMORY_MB', 4096, { min: 2048, max: 1_048_576 }),
      cpus: number(env, 'BERTH_ANDROID_CPUS', 2, { min: 1, max: 1024, fraction: true }),
      diskMb: number(env, 'BERTH_ANDROID_DISK_MB', 6144, { min: 2048, max: 1_048_576 }),
      quota: flag(env, 'BERTH_ANDROID_QUOTA', true),
      kvmGroup: number(env, 'BERTH_ANDROID_KVM_GROUP', 0, { min: 1, max: LARGEST_GROUP }) || kvmGroup(isLocal),
    }),
  });
}

/** The group of /dev/kvm on this machine, if it is one that sessions can be in; root's is not. */
function kvmGroup(isLocal: boolean): number | null {
  const stats = isLocal ? statSync(KVM, { throwIfNoEntry: false }) : undefined;
  const isOpen = stats?.isCharacterDevice() === true && (stats.mode & READ_AND_WRITE) === READ_AND_WRITE;
  return isOpen && stats.gid !== 0 ? stats.gid : null;
}

function devices(env: Environment, cwd: string): AndroidDevices {
  const type = choice(env, 'BERTH_ANDROID_DEVICES', 'emulator', ['emulator', 'adb']);
  const pool = list(env, 'BERTH_ANDROID_ADB') ?? [];
  const key = text(env, 'BERTH_ANDROID_ADB_KEY');
  const resetMs = 1000 * number(env, 'BERTH_ANDROID_RESET_TIMEOUT', 300, { min: 1, max: 3600 });
  if (type === 'emulator') {
    const names = ['BERTH_ANDROID_ADB', 'BERTH_ANDROID_ADB_KEY', 'BERTH_ANDROID_RESET_URL'];
    const stray = names.find(name => text(env, name) !== undefined);
    if (stray !== undefined) throw new ConfigError(`${stray} needs BERTH_ANDROID_DEVICES=adb.`);
    return { type };
  }
  if (pool.length === 0) {
    throw new ConfigError(
      'BERTH_ANDROID_ADB must hold the devices of BERTH_ANDROID_DEVICES=adb as host:port, separated by commas.',
    );
  }
  const parsed = pool.map(deviceOf);
  const twice = pool.find((device, index) => pool.indexOf(device) !== index);
  if (twice !== undefined)
    throw new ConfigError(`BERTH_ANDROID_ADB must name each device once, but ${twice} is there twice.`);
  return {
    type,
    pool: Object.freeze(parsed),
    key: key === undefined ? null : keyIn(resolve(cwd, key)),
    reset: resetIn(env, resetMs),
  };
}

function resetIn(env: Environment, timeoutMs: number): { url: string; timeoutMs: number } | null {
  const url = text(env, 'BERTH_ANDROID_RESET_URL');
  if (url === undefined) return null;
  const parsed = URL.canParse(url) ? new URL(url) : null;
  if (parsed === null || !/^https?:$/.test(parsed.protocol))
    throw new ConfigError('BERTH_ANDROID_RESET_URL must be an http or https address.');
  return { url, timeoutMs };
}

function deviceOf(device: string): Readonly<AdbDevice> {
  const [, host = '', port = ''] = /^(.*):(\d{1,5})$/.exec(device) ?? [];
  // A host of digits and dots only must be an address, since nobody could resolve it.
  const isHost = HOST.test(host) && (!/^[\d.]+$/.test(host) || isIP(host) === 4);
  if (isHost && Number(port) >= 1 && Number(port) <= 65535) return Object.freeze({ host, port: Number(port) });
  throw new ConfigError(
    `BERTH_ANDROID_ADB must hold devices as host:port, separated by commas, with IPv4 addresses or names as hosts, but holds "${device}".`,
  );
}

function keyIn(path: string): string {
  try {
    const pem = readFileSync(path, 'utf8');
    if (createPrivateKey(pem).asymmetricKeyType === 'rsa' && pem.includes('BEGIN PRIVATE KEY')) return pem;
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? '';
    if (/^E[A-Z]+$/.test(code))
      throw new ConfigError(`BERTH_ANDROID_ADB_KEY must name a file that can be read, but ${path} cannot (${code}).`);
  }
  throw new ConfigError(
    `BERTH_ANDROID_ADB_KEY must name a file with an RSA key as PKCS #8 in PEM, as adb keeps it in adbkey, but ${path} holds none.`,
  );
}

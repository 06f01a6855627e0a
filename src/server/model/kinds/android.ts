import { ANDROID_CLIPBOARD_MAX_BYTES } from '../../../protocol/message-type.js';
import type { AndroidOptions, Launch, StartAndroid } from '../../../protocol/generated/schemas.js';
import type { Problem } from '../../../protocol/validation.js';
import type { Kind } from './kind.js';
import { areaProblems, sessionSpec, type StartSpec } from './start-spec.js';
import { profileOptions } from './profile.js';

const PORTRAIT = { width: 720, height: 1280 } as const;
const DENSITY = 320;

/** Memory that an emulator takes on top of its device's, MiB. */
const EMULATOR_OWN_MB = 1024;

/** An Android device. */
export const android: Kind = {
  image: 'android',
  adbImage: 'android-device',
  profile: 'android',
  defaults: { fps: 30, hideCursor: true },
  seats: 0,
  // Every finger reaches the device.
  gestures: () => ({ pinch: true }),
  withoutSecrets: launch => launch,
  pods: false,
  warmPool: 'never',
  host: { graphicsCard: false, bios: false },
  // Its size is the device's own.
  resizable: false,
  clipboardBytes: ANDROID_CLIPBOARD_MAX_BYTES,
  content: 'app',
  device: true,
  prepares: false,
};

/** Where a device of a pool listens. */
interface PoolDevice {
  readonly host: string;
  readonly port: number;
}

/** The device of a pool that a session has; null: none. */
export function poolDeviceOf(launch: Launch): PoolDevice | null {
  if (launch.kind !== 'android' || launch.android.device.type !== 'adb') return null;
  const { host, port } = launch.android.device;
  return { host, port };
}

/** The launch of a session that is lent a device of a pool. */
export function withPoolDevice<L extends Launch>(launch: L, { host, port }: PoolDevice): L {
  if (launch.kind !== 'android') return launch;
  return { ...launch, android: { ...launch.android, device: { type: 'adb', host, port } } };
}

/** Checks what a schema cannot express about a start request. */
export const androidProblems = (request: StartAndroid): Problem[] => areaProblems(request, PORTRAIT);

/** Turns a valid request into a start spec, for an `emulator` with a container's limits; a device of a pool is chosen when the session starts. */
export function androidSpec(
  request: StartAndroid,
  deadlines: AndroidOptions['deadlines'],
  emulator: { memoryMb: number; cpus: number; diskMb: number },
): StartSpec {
  const { app_id, apk_url, locale, density = DENSITY } = request;
  const { display, ...spec } = sessionSpec(request, { ...android.defaults, size: PORTRAIT });
  return {
    ...spec,
    launch: {
      type: 'launch',
      kind: 'android',
      display,
      android: {
        device: {
          type: 'emulator',
          memory_mb: emulator.memoryMb - EMULATOR_OWN_MB,
          cpus: Math.ceil(emulator.cpus),
          disk_mb: emulator.diskMb,
        },
        density,
        deadlines: { ...deadlines },
        ...(app_id === undefined ? {} : { app_id }),
        ...(apk_url === undefined ? {} : { apk: true }),
        ...(locale === undefined ? {} : { locale }),
        ...profileOptions(spec.profile),
      },
    },
    rom: apk_url ?? null,
  };
}

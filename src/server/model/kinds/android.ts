import { ANDROID_CLIPBOARD_MAX_BYTES } from '../../../protocol/message-type.js';
import type { Launch, StartAndroid } from '../../../protocol/generated/schemas.js';
import { HttpError } from '../errors.js';
import type { Kind, Start } from './kind.js';
import { areaProblems, sessionSpec, type StartSettings, type StartSpec } from './start-spec.js';
import { profileOptions } from './profile.js';

const PORTRAIT = { width: 720, height: 1280 } as const;
const DENSITY = 320;

/** Memory that an emulator takes on top of its device's, MiB. */
const EMULATOR_OWN_MB = 1024;

/** Starting a device. */
const start: Start<StartAndroid> = {
  operations: [{ path: '/v0/android', id: 'startAndroid', summary: 'Start an Android device' }],
  description:
    'Answers when the session runs; the device boots afterwards, which viewers see the progress of. An empty body, or none, is valid: the home screen is shown.',
  schema: 'start-android.json',
  required: false,
  example: { app_id: 'com.example.app', locale: { language: 'de', country: 'AT' } },
  takesExtension: false,
  errors: ['apk_refused', 'profile_unsupported', 'profile_wrong_device'],
  problems: request => areaProblems(request, PORTRAIT),
  spec,
  content: () => ({ path: '/apk_url', refused: 'apk_refused' }),
};

/** An Android device. */
export const android: Kind = {
  image: 'android',
  adbImage: 'android-device',
  start,
  // A device must shut down first, since only then its data are complete, and has some gigabytes.
  profile: {
    kind: 'android',
    owner: 'an Android device',
    attemptMs: 600_000,
    checkpoints: false,
    space: 'device',
  },
  seats: 0,
  // Every finger reaches the device.
  gestures: () => ({ pinch: true }),
  pageTouch: () => false,
  withoutSecrets: launch => launch,
  pods: false,
  warmPool: 'never',
  host: { graphicsCard: false, bios: false },
  // Its size is the device's own.
  resizable: false,
  clipboardBytes: ANDROID_CLIPBOARD_MAX_BYTES,
  clipboardContent: false,
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

/**
 * Turns a valid request into a start spec, filling in the defaults; a device of a pool is chosen when the session starts.
 * @throws HttpError if it wants a profile and there is no emulator
 */
function spec(request: StartAndroid, { android: { devices, deadlines, emulator } }: StartSettings): StartSpec {
  const hasProfile = request.profile !== undefined && request.profile !== false;
  if (hasProfile && devices.type === 'adb')
    throw new HttpError('profile_unsupported', {
      details: [{ path: '/profile', message: 'is for emulators only' }],
    });
  const { app_id, apk_url, locale, density = DENSITY } = request;
  const { display, ...spec } = sessionSpec(request, { fps: 30, hideCursor: true, size: PORTRAIT });
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

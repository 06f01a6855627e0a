import type { LaunchAndroid } from '../../protocol/generated/schemas.js';
import { CallFailure } from '../link/calls.js';
import type { SessionProgram } from '../session/session-program.js';
import { install, isAppId, openAddress, openApp, pushDownload } from './apps/apps.js';
import type { Device } from './device/device.js';
import { DeviceProblem } from './device/problem.js';
import type { Place } from './emulator/console.js';
import { CALL_KEYS } from './input/key-codes.js';
import type { Control, KeyCode } from './scrcpy/control.js';

export interface AndroidCallOptions {
  /** The device, while it is connected. */
  readonly device: () => Device | undefined;
  readonly control: () => Control | undefined;
  /** Sets the location of an emulator's device; undefined for other devices. */
  readonly moveTo: ((place: Place) => Promise<void>) | undefined;
  /** Path of a file that was uploaded; undefined if it is not there any more. */
  readonly upload: (id: string) => string | undefined;
}

const DEFAULT_LINES = 500;
const LOG_MAX_BYTES = 512 << 10;

/** Handles the calls of Android sessions. */
export function androidCalls({
  device,
  control,
  moveTo,
  upload,
}: AndroidCallOptions): SessionProgram<LaunchAndroid>['calls'] {
  const on =
    <A extends unknown[], R>(handle: (device: Device, control: Control, ...args: A) => R | Promise<R>) =>
    async (...args: A): Promise<R> => {
      const [current, input] = [device(), control()];
      if (current === undefined || input === undefined)
        throw new CallFailure('not_ready', 'The device is not ready yet; try again.');
      try {
        // Older services pass the answer on as it is.
        return (await handle(current, input, ...args)) ?? ({} as R);
      } catch (error) {
        throw error instanceof DeviceProblem ? failureOf(error) : error;
      }
    };
  const uploaded = (id: string) => {
    const path = upload(id);
    if (path === undefined) throw new CallFailure('upload_not_found', 'This upload no longer exists; send it again.');
    return path;
  };

  return {
    'android.key': on((_, input, name) => {
      const key = CALL_KEYS[name];
      if (typeof key === 'string') return input.panel(key);
      for (const down of [true, false]) input.key(down, key as KeyCode, 0, 0);
    }),
    'android.rotate': on(async ({ shell }, input, orientation) => {
      if (orientation === undefined) return input.rotate();
      const isAuto = orientation === 'auto';
      await shell.script([
        `settings put system accelerometer_rotation ${isAuto ? 1 : 0}`,
        ...(isAuto ? [] : [`settings put system user_rotation ${orientation === 'portrait' ? 0 : 1}`]),
      ]);
    }),
    'android.open': on((current, _, target) =>
      isAppId(target) ? openApp(current, target) : openAddress(current, target),
    ),
    'android.install': on(async (current, _, id) => {
      const app = await install(current, uploaded(id));
      return app === undefined ? {} : { app_id: app };
    }),
    'android.location': on(async (_, __, latitude, longitude, altitude) => {
      if (moveTo === undefined) throw new CallFailure('not_supported', 'The location of this device cannot be set.');
      await moveTo({ latitude, longitude, altitude }).catch((error: unknown) => {
        throw new CallFailure('agent_failed', `The emulator did not take the place: ${String(error)}.`);
      });
    }),
    'android.logs': on(async ({ shell }, _, count = DEFAULT_LINES) => {
      const text = await shell.ask(['logcat', '-d', '-t', String(count)]);
      return text.split('\n').slice(-count).join('\n').slice(-LOG_MAX_BYTES);
    }),
    'files.drop': on(async (current, _, ids) => {
      for (const path of ids.map(uploaded)) {
        if (path.toLowerCase().endsWith('.apk')) await install(current, path);
        else await pushDownload(current, path);
      }
    }),
  };
}

function failureOf({ code, message }: DeviceProblem): CallFailure {
  const known = code === 'app_not_available' || code === 'install_failed';
  return new CallFailure(known ? code : 'agent_failed', message);
}

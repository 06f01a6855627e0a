import type { AndroidKey } from '../../protocol/generated/schemas.js';
import { CallFailure, type Calls } from '../link/calls.js';
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
  /** Tells an emulator's device where it is; undefined for other devices. */
  readonly moveTo: ((place: Place) => Promise<void>) | undefined;
  /** Path of a file that was uploaded; undefined if it is not there any more. */
  readonly upload: (id: string) => string | undefined;
}

const DEFAULT_LINES = 500;
const LOG_MAX_BYTES = 512 << 10;

/** Offers the calls of Android sessions; the service validates their arguments. */
export function offerCalls(calls: Calls, { device, control, moveTo, upload }: AndroidCallOptions): void {
  const on = (method: string, handle: (device: Device, control: Control, args: readonly unknown[]) => unknown) =>
    calls.on(method, async args => {
      const [current, input] = [device(), control()];
      if (current === undefined || input === undefined)
        throw new CallFailure('not_ready', 'The device is not there yet; try again.');
      try {
        return (await handle(current, input, args)) ?? {};
      } catch (error) {
        throw error instanceof DeviceProblem ? failureOf(error) : error;
      }
    });
  const uploaded = (id: unknown) => {
    const path = upload(String(id));
    if (path === undefined)
      throw new CallFailure('upload_not_found', 'There is no such upload any more; send it again.');
    return path;
  };

  on('android.key', (_, input, [name]) => {
    const key = CALL_KEYS[name as AndroidKey];
    if (typeof key === 'string') return input.panel(key);
    for (const down of [true, false]) input.key(down, key as KeyCode, 0, 0);
  });
  on('android.rotate', async ({ shell }, input, [orientation]) => {
    if (orientation === undefined) return input.rotate();
    const isAuto = orientation === 'auto';
    await shell.script([
      `settings put system accelerometer_rotation ${isAuto ? 1 : 0}`,
      ...(isAuto ? [] : [`settings put system user_rotation ${orientation === 'portrait' ? 0 : 1}`]),
    ]);
  });
  on('android.open', (current, _, [target]) =>
    isAppId(String(target)) ? openApp(current, String(target)) : openAddress(current, String(target)),
  );
  on('android.install', async (current, _, [id]) => {
    const app = await install(current, uploaded(id));
    return app === undefined ? {} : { app_id: app };
  });
  on('android.location', async (_, __, [latitude, longitude, altitude]) => {
    if (moveTo === undefined) throw new CallFailure('not_supported', 'The place of this device cannot be set.');
    await moveTo({
      latitude: Number(latitude),
      longitude: Number(longitude),
      altitude: altitude === undefined ? undefined : Number(altitude),
    }).catch((error: unknown) => {
      throw new CallFailure('agent_failed', `The emulator did not take the place: ${String(error)}.`);
    });
  });
  on('android.logs', async ({ shell }, _, [lines]) => {
    const count = typeof lines === 'number' ? lines : DEFAULT_LINES;
    const text = await shell.ask(['logcat', '-d', '-t', String(count)]);
    return text.split('\n').slice(-count).join('\n').slice(-LOG_MAX_BYTES);
  });
  on('files.drop', async (current, _, [ids]) => {
    for (const path of (Array.isArray(ids) ? ids : []).map(uploaded)) {
      if (path.toLowerCase().endsWith('.apk')) await install(current, path);
      else await pushDownload(current, path);
    }
  });
}

function failureOf({ code, message }: DeviceProblem): CallFailure {
  const known = code === 'app_not_available' || code === 'install_failed';
  return new CallFailure(known ? code : 'agent_failed', message);
}

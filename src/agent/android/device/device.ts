import type { Adb } from '@yume-chan/adb';
import type { DeviceState } from '../../../protocol/generated/schemas.js';
import { Shell } from '../../../adb/shell.js';
import { SOUND_API_LEVEL } from '../sound.js';

/** The store's app. */
const STORE = 'com.android.vending';

/** A connected device that has booted. */
export interface Device {
  readonly adb: Adb;
  readonly shell: Shell;
  readonly state: DeviceState;
}

/** Asks a device what it is like. */
export async function describe(adb: Adb, shell: Shell): Promise<Device> {
  const android = await shell.ask(['getprop', 'ro.build.version.release']);
  const level = Number(await shell.ask(['getprop', 'ro.build.version.sdk'])) || 0;
  const store = await isInstalled(shell, STORE);
  const state: DeviceState = {
    type: 'device',
    android: android.slice(0, 64),
    api_level: level,
    sound: level >= SOUND_API_LEVEL,
    store,
  };
  return { adb, shell, state };
}

/** Whether an app is installed. */
export const isInstalled = async (shell: Shell, app: string): Promise<boolean> =>
  (await shell.run(['pm', 'path', app])).status === 0;

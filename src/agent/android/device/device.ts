import { setTimeout as delay } from 'node:timers/promises';
import type { Adb } from '@yume-chan/adb';
import type { DeviceState, DisplayOptions } from '../../../protocol/generated/schemas.js';
import type { Shell } from '../../../adb/shell.js';
import { SOUND_API_LEVEL } from '../sound.js';

/** The store's app. */
const STORE = 'com.android.vending';

/** Interval of the question whether it has booted, milliseconds. */
const BOOT_POLL_MS = 500;

/** How long it may take to be set up, milliseconds. */
const SETUP_TIMEOUT_MS = 30_000;

/** Interval of heartbeats, and how long a device may take to answer one, milliseconds. */
const HEARTBEAT_MS = 5000;
const HEARTBEAT_TIMEOUT_MS = 8000;

/** A connected device that has booted. */
export interface Device {
  readonly adb: Adb;
  readonly shell: Shell;
  readonly state: DeviceState;
}

/** Resolves when the device has booted; rejects when the signal aborts, or the device is lost. */
export async function booted(shell: Shell, signal: AbortSignal): Promise<void> {
  for (;;) {
    signal.throwIfAborted();
    if ((await shell.ask(['getprop', 'sys.boot_completed'])) === '1') return;
    await delay(BOOT_POLL_MS, undefined, { signal });
  }
}

/** Asks a device for its version of Android, and whether it has sound and a store. */
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

/**
 * Sets a device up for a session: size and density of its screen, which stays on in portrait.
 * @returns the commands that failed: not every device has all of them, and it shows a picture without
 */
export async function setUp(shell: Shell, { width, height }: DisplayOptions, density: number): Promise<string[]> {
  const commands = [
    `wm size ${width}x${height}`,
    `wm density ${density}`,
    // With any power connected, as it is on devices of sessions.
    'settings put global stay_on_while_plugged_in 7',
    'settings put system accelerometer_rotation 0',
    'settings put system user_rotation 0',
    'input keyevent KEYCODE_WAKEUP',
    'wm dismiss-keyguard',
  ];
  const script = commands.map(command => `${command} >/dev/null 2>&1 || echo '${command}'`).join('; ');
  const failed = await shell.script([script], SETUP_TIMEOUT_MS);
  return failed === '' ? [] : failed.split('\n');
}

/** Rejects when a device no longer answers although its connection is open, or when the signal aborts. */
export async function heartbeat(shell: Shell, signal: AbortSignal): Promise<never> {
  for (;;) {
    await delay(HEARTBEAT_MS, undefined, { signal });
    await shell.run(['true'], HEARTBEAT_TIMEOUT_MS);
  }
}

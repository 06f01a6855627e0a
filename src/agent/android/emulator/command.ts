import type { AndroidOptions } from '../../../protocol/generated/schemas.js';
import type { Command } from '../../process/running.js';
import { AVD, AVD_FOLDER } from './avd.js';

/** The emulator's own SDK in the image. */
export const SDK = '/opt/android-sdk';

/** Ports on the container's loopback: the emulator's console, and its device's adbd. */
export const CONSOLE_PORT = 5554;
export const ADB_PORT = 5555;

type Locale = NonNullable<AndroidOptions['locale']>;

/** How the emulator is started: without window, and with the device's memory and processors. */
export function emulatorCommand(env: Record<string, string>, home: string, locale: Locale = {}): Command {
  const { language, country } = locale;
  const { DISPLAY: _, PULSE_SERVER: __, ...rest } = env;
  return {
    file: 'sh',
    args: [
      // It prints errors on its standard output, too.
      ...['-c', 'exec "$0" "$@" >&2', `${SDK}/emulator/emulator`],
      ...['-avd', AVD],
      ...['-ports', `${CONSOLE_PORT},${ADB_PORT}`],
      ...['-gpu', 'swiftshader_indirect'],
      ...['-accel', 'on'],
      '-no-window',
      '-no-boot-anim',
      '-no-snapshot',
      '-no-metrics',
      ...(language === undefined ? [] : ['-change-locale', [language, country].filter(Boolean).join('-')]),
    ],
    env: {
      ...rest,
      ANDROID_SDK_ROOT: SDK,
      ANDROID_HOME: SDK,
      ANDROID_AVD_HOME: AVD_FOLDER,
      // Where it finds the key that its device trusts.
      ANDROID_USER_HOME: home,
      ANDROID_EMULATOR_HOME: home,
      // The device's sound reaches viewers by scrcpy.
      QEMU_AUDIO_DRV: 'none',
    },
  };
}

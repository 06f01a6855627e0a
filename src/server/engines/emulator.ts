import type { EmulatorConfig } from '../config/index.js';
import type { ContainerRequest } from './engine.js';

/** Where the container of an emulator has its device's data. */
export const AVD_PATH = '/avd';

/** What an emulator writes beside the device's data, MiB. */
const AVD_EXTRA_MB = 1024;

/** Whether an Android session has its device in its own container. */
export const hasEmulator = ({ kind, adb }: ContainerRequest): boolean => kind === 'android' && adb === undefined;

/** Room for a device, MiB: the emulator keeps the device's data, and what changed of them. */
export const avdMb = ({ diskMb }: EmulatorConfig): number => 2 * diskMb + AVD_EXTRA_MB;

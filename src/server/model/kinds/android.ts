import type { Kind } from './kind.js';

/** An Android device. */
export const android: Kind = {
  image: 'android',
  profile: 'android',
  defaults: { fps: 30, hideCursor: true },
  calls: 'android',
  seats: 0,
  // Every finger reaches the device.
  gestures: () => ({ pinch: true }),
  withoutSecrets: launch => {
    if (!('android' in launch) || launch.android.device.type !== 'adb') return launch;
    const { type, host, port } = launch.android.device;
    return { ...launch, android: { ...launch.android, device: { type, host, port } } };
  },
  warmPool: false,
  host: { graphicsCard: false, bios: false },
  game: false,
};

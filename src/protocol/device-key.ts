import type { LaunchAndroid } from './generated/schemas.js';

/** A launch as it may be kept: without the key that devices of a pool trust. */
export function withoutDeviceKey(launch: LaunchAndroid): LaunchAndroid {
  if (launch.android.device.type !== 'adb') return launch;
  const { type, host, port } = launch.android.device;
  return { ...launch, android: { ...launch.android, device: { type, host, port } } };
}

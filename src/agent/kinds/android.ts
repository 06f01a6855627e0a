import type { LaunchAndroid } from '../../protocol/generated/schemas.js';
import { AndroidSession } from '../android/session.js';
import type { Kind } from './kind.js';

/** An Android device. */
export const android: Kind<LaunchAndroid> = {
  program: (launch, parts) => new AndroidSession(launch, parts),
  lasting: withoutKey,
};

/** A launch without the key of the device. */
function withoutKey(launch: LaunchAndroid): LaunchAndroid {
  if (launch.android.device.type !== 'adb') return launch;
  const { type, host, port } = launch.android.device;
  return { ...launch, android: { ...launch.android, device: { type, host, port } } };
}

import type { LaunchAndroid } from '../../protocol/generated/schemas.js';
import { AndroidSession } from '../android/session.js';
import type { Kind } from './kind.js';

/** An Android device. */
export const android: Kind<LaunchAndroid> = {
  program: (launch, parts) => new AndroidSession(launch, parts),
  lasting: launch => launch,
};

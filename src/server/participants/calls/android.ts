import type {
  AndroidInstallArguments,
  AndroidKeyArguments,
  AndroidLocationArguments,
  AndroidLogsArguments,
  AndroidOpenArguments,
  AndroidRotateArguments,
} from '../../../protocol/generated/schemas.js';
import { CallError, kindOf, mayControl, mayUpload } from '../../model/index.js';
import { requireControl, sessionCall, type CallContext, type Need, type SessionCall } from './call.js';

const control: Need = { test: mayControl, code: 'role_required', message: 'Using the device needs the role control.' };
const install: Need = {
  test: mayUpload,
  code: 'role_required',
  message: 'Installing apps needs the roles file_upload and control.',
};
const admin: Need = {
  test: access => access.admin,
  code: 'admin_required',
  message: 'This is for holders of the admin token.',
};

/** A call that a device's agent answers. To change anything, a viewer must have control now. */
function deviceCall<T extends unknown[]>(
  method: string,
  schema: string,
  needs: Need,
): [method: string, call: SessionCall] {
  const run = (context: CallContext, args: T) => {
    if (kindOf(context.kind).calls !== 'device') {
      throw new CallError('not_an_android', 'This session is not an Android device.');
    }
    if (needs !== admin) requireControl(context);
    return context.agent(method, args);
  };
  return [method, sessionCall<T>({ schema: `session-calls.json#/$defs/${schema}`, needs, run })];
}

/** Calls to an Android device. */
export const androidCalls: [method: string, call: SessionCall][] = [
  deviceCall<AndroidKeyArguments>('android.key', 'android_key', control),
  deviceCall<AndroidRotateArguments>('android.rotate', 'android_rotate', control),
  deviceCall<AndroidOpenArguments>('android.open', 'android_open', control),
  deviceCall<AndroidInstallArguments>('android.install', 'android_install', install),
  deviceCall<AndroidLocationArguments>('android.location', 'android_location', control),
  deviceCall<AndroidLogsArguments>('android.logs', 'android_logs', admin),
];

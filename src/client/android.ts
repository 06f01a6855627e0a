import type { AndroidDevice } from '../protocol/api/android.js';
import type { MethodsOf, OperationName } from '../protocol/calls.js';
import type { MakeCall } from '../protocol/make-call.js';

/** A device that runs Android. Every method rejects with a BerthError if the service returns an error. */
export interface AndroidClient extends AndroidDevice {
  /** Installs an app from a file that was uploaded, by the ID of the upload. */
  install(uploadId: string): Promise<{ app_id?: string }>;
}

/** Controls an Android device through its session's address. */
export const remoteAndroid = (call: MakeCall<OperationName>): AndroidClient =>
  Object.freeze<AndroidClient & Record<MethodsOf<'android'>, unknown>>({
    key: async name => void (await call('android.key', [name])),
    rotate: async (...orientation) => void (await call('android.rotate', orientation)),
    open: async target => void (await call('android.open', [target])),
    location: async (...place) => void (await call('android.location', place)),
    logs: (...lines) => call('android.logs', lines),
    install: uploadId => call('android.install', [uploadId]),
  });

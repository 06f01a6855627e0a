import type { MethodsOf, OperationName } from '../protocol/calls.js';
import type { MakeCall } from '../protocol/make-call.js';
import type { AndroidClient } from './android-types.js';

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

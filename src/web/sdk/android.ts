import type { MethodsOf } from '../../protocol/calls.js';
import type { MakeCall } from '../../protocol/make-call.js';
import type { AndroidDevice } from '../../protocol/api/android.js';

/** A device that runs Android, from a page. */
export interface PageAndroid extends AndroidDevice {
  /**
   * Installs an app from an .apk; resolves with its ID, which is undefined where the device does not tell. Needs the
   * role `file_upload` as well.
   * @param apk the file
   */
  install(apk: File): Promise<string | undefined>;
}

interface Remote {
  call: MakeCall;
  /** Resolves with the ID of the upload. */
  upload(file: File): Promise<string>;
}

/** Creates the device object, whose methods are calls to the session. */
export function remoteAndroid({ call, upload }: Remote): PageAndroid {
  return Object.freeze<PageAndroid & Record<MethodsOf<'android'>, unknown>>({
    key: async name => void (await call('android.key', [name])),
    rotate: async (...orientation) => void (await call('android.rotate', orientation)),
    open: async target => void (await call('android.open', [target])),
    location: async (...place) => void (await call('android.location', place)),
    logs: (...lines) => call('android.logs', lines),
    install: async apk => {
      if (!(apk instanceof File)) throw new TypeError('apk must be a File');
      return (await call('android.install', [await upload(apk)])).app_id;
    },
  });
}

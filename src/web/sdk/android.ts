import type { AndroidDevice } from '../../protocol/api/android.js';

/** A device that runs Android, from a page. */
export interface PageAndroid extends AndroidDevice {
  /**
   * Installs an app from an .apk; resolves with its ID, which is undefined where the device does not tell. Needs the
   * role `file_upload` as well.
   */
  install(apk: File): Promise<string | undefined>;
}

interface Remote {
  call(method: string, args: readonly unknown[]): Promise<unknown>;
  /** Resolves with the ID of the upload. */
  upload(file: File): Promise<string>;
}

/** Creates the device object, whose methods are calls to the session. */
export function remoteAndroid({ call, upload }: Remote): PageAndroid {
  const ask = (method: string, ...args: unknown[]) => {
    while (args.length > 0 && args.at(-1) === undefined) args.pop();
    return call(`android.${method}`, args);
  };
  return Object.freeze<PageAndroid>({
    key: async name => void (await ask('key', name)),
    rotate: async orientation => void (await ask('rotate', orientation)),
    open: async target => void (await ask('open', target)),
    location: async (...place) => void (await ask('location', ...place)),
    logs: async lines => (await ask('logs', lines)) as string,
    install: async apk => {
      if (!(apk instanceof File)) throw new TypeError('apk must be a File');
      return ((await ask('install', await upload(apk))) as { app_id?: string }).app_id;
    },
  });
}

import type { AndroidDevice } from '../protocol/api/android.js';

/** A device that runs Android. Every method rejects with a BerthError if the service returns an error. */
export interface AndroidClient extends AndroidDevice {
  /** Installs an app from a file that was uploaded, by the ID of the upload. */
  install(uploadId: string): Promise<{ app_id?: string }>;
}

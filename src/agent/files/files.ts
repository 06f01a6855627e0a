import type { Download } from '../../protocol/generated/schemas.js';
import { DOWNLOAD_FOLDER, UPLOAD_FOLDER } from '../browser/paths.js';
import type { Route } from '../link/routes.js';
import type { Log } from '../log.js';
import { Downloads } from './downloads.js';
import { Uploads } from './uploads.js';

export interface FilesOptions {
  readonly log: Log;
  /** Gets each file that was downloaded. */
  readonly downloaded: (download: Download) => void;
}

/** Files on their way between viewers and the session. */
export class Files {
  readonly #log: Log;
  readonly #downloads: Downloads;
  readonly #uploads = new Uploads(UPLOAD_FOLDER);

  constructor({ log, downloaded }: FilesOptions) {
    this.#log = log;
    this.#downloads = new Downloads({ folder: DOWNLOAD_FOLDER, log, offered: downloaded });
  }

  get routes(): Route[] {
    return [...this.#downloads.routes, this.#uploads.route];
  }

  /** What a new link must be told of. */
  get downloads(): Download[] {
    return this.#downloads.list();
  }

  start(): void {
    Promise.all([this.#downloads.start(), this.#uploads.start()]).catch((error: unknown) =>
      this.#log.warn('no folders for files', { error: String(error) }),
    );
  }

  stop(): void {
    this.#downloads.stop();
  }
}

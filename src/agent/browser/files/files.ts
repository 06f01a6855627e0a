import type { MethodsOf } from '../../../protocol/calls.js';
import type { Download, FileChooser } from '../../../protocol/generated/schemas.js';
import type { ExtensionChannel } from '../extension/extension-channel.js';
import { DOWNLOAD_FOLDER, UPLOAD_FOLDER } from '../paths.js';
import type { Handover } from '../../handover/handover.js';
import { CallFailure, type CallHandlers } from '../../link/calls.js';
import type { Route } from '../../link/routes.js';
import type { Log } from '../../lib/log.js';
import { Choosers } from './choosers.js';
import { Downloads } from './downloads.js';
import { dropFiles, type DisplaySize } from './drop.js';
import { TabsDebugger } from './tabs-debugger.js';
import { Uploads } from '../../files/uploads.js';

export interface FilesOptions {
  readonly log: Log;
  readonly extension: ExtensionChannel;
  readonly handover: Handover;
  /** Called with each downloaded file, and each chooser that opens or closes. */
  readonly tell: (message: Download | FileChooser) => void;
  /** Size of the display; undefined until it is known. */
  readonly display: () => DisplaySize | undefined;
}

/** File transfers between viewers and the session's browser. */
export class Files {
  readonly calls: CallHandlers<'files.enable' | `files.${MethodsOf<'files'>}`> = {
    'files.enable': enabled => this.#choosers.enable(enabled),
    'files.choose': ids => this.#choosers.choose(this.#paths(ids)),
    'files.cancel': () => this.#choosers.cancel(),
    'files.drop': (ids, x, y) => this.#drop(this.#paths(ids), x, y),
  };
  readonly #options: FilesOptions;
  readonly #tabs: TabsDebugger;
  readonly #choosers: Choosers;
  readonly #downloads: Downloads;
  readonly #uploads: Uploads;

  constructor(options: FilesOptions) {
    this.#options = options;
    const { log, extension, handover, tell } = options;
    this.#tabs = new TabsDebugger(extension);
    this.#choosers = new Choosers({ tabs: this.#tabs, handover, tell });
    this.#downloads = new Downloads({ folder: DOWNLOAD_FOLDER, log, handover, offered: tell });
    this.#uploads = new Uploads(UPLOAD_FOLDER, handover);
  }

  get routes(): Route[] {
    return [...this.#downloads.routes, this.#uploads.route];
  }

  /** What a new link must be told about. */
  get current(): (Download | FileChooser)[] {
    const { open } = this.#choosers;
    return [...this.#downloads.list(), ...(open === undefined ? [] : [open])];
  }

  start(): void {
    Promise.all([this.#downloads.start(), this.#uploads.start()]).catch((error: unknown) =>
      this.#options.log.warn('file folders not created', { error: String(error) }),
    );
  }

  /** The browser ended. */
  lost(): void {
    this.#choosers.lost();
  }

  stop(): void {
    this.#downloads.stop();
  }

  #paths(ids: readonly string[]): string[] {
    const paths = ids.flatMap(id => this.#uploads.path(id) ?? []);
    if (paths.length === ids.length) return paths;
    throw new CallFailure('upload_not_found', 'This upload no longer exists; send the file again.');
  }

  #drop(paths: string[], x: number, y: number): Promise<void> {
    const display = this.#options.display();
    if (display === undefined) throw new CallFailure('not_ready', 'The display is not ready yet; try again.');
    return dropFiles(this.#tabs, paths, { x, y }, display);
  }
}

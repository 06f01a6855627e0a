import type { MethodsOf } from '../../../protocol/calls.js';
import type { InputEvent } from '../../../protocol/input.js';
import type { Download, FileChooser } from '../../../protocol/generated/schemas.js';
import type { ExtensionChannel } from '../extension/extension-channel.js';
import { DOWNLOAD_FOLDER, UPLOAD_FOLDER } from '../paths.js';
import type { Handover } from '../../handover/handover.js';
import { CallFailure, type CallHandlers } from '../../link/calls.js';
import type { Route } from '../../link/routes.js';
import type { Log } from '../../lib/log.js';
import { Choosers, type Choice } from './choosers.js';
import { Downloads } from './downloads.js';
import { dropFiles, type DisplaySize } from './drop.js';
import { FilePortal } from './portal/file-portal.js';
import { TabsDebugger } from './tabs-debugger.js';
import { Uploads } from '../../files/uploads.js';

const ESCAPE = 0xff1b;

export interface FilesOptions {
  readonly log: Log;
  /** Environment of the session bus. */
  readonly env: Record<string, string>;
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
    'files.choose': ids => this.#choosers.choose(this.#choices(ids)),
    'files.cancel': () => this.#choosers.cancel(),
    'files.drop': (ids, x, y) => this.#drop(this.#choices(ids), x, y),
  };
  readonly #options: FilesOptions;
  readonly #tabs: TabsDebugger;
  readonly #portal: FilePortal;
  readonly #choosers: Choosers;
  readonly #downloads: Downloads;
  readonly #uploads: Uploads;

  constructor(options: FilesOptions) {
    this.#options = options;
    const { log, env, extension, handover, tell } = options;
    this.#tabs = new TabsDebugger(extension);
    this.#downloads = new Downloads({ folder: DOWNLOAD_FOLDER, log, handover, offered: tell });
    this.#uploads = new Uploads(UPLOAD_FOLDER, handover);
    this.#choosers = new Choosers({
      tabs: this.#tabs,
      handover,
      tell,
      answer: (handle, paths) => this.#portal.answer(handle, paths),
      hasUploads: () => !this.#uploads.isEmpty,
    });
    this.#portal = new FilePortal({
      log,
      env,
      handover,
      opened: dialog => this.#choosers.opened(dialog),
      closed: handle => this.#choosers.closed(handle),
      place: name => this.#downloads.place(name),
    });
  }

  get routes(): Route[] {
    return [...this.#downloads.routes, this.#uploads.route, this.#uploads.folderRoute];
  }

  /** What a new link must be told about. */
  get current(): (Download | FileChooser)[] {
    const { open } = this.#choosers;
    return [...this.#downloads.list(), ...(open === undefined ? [] : [open])];
  }

  /** Before the browser, which looks for file dialogs once. */
  prepare(): void {
    this.#portal.start();
  }

  /** Resolves when the browser can be started. */
  whenPrepared(): Promise<void> {
    return this.#portal.whenUp();
  }

  start(): void {
    this.prepare();
    Promise.all([this.#downloads.start(), this.#uploads.start()]).catch((error: unknown) =>
      this.#options.log.warn('file folders not created', { error: String(error) }),
    );
  }

  /** The browser ended. */
  lost(): void {
    this.#choosers.lost();
  }

  /** Observes input to the display: Escape closes the chooser, as it closes dialogs. */
  input(event: InputEvent): void {
    if (event.type !== 'key' || !event.down || event.keysym !== ESCAPE) return;
    if (this.#choosers.open !== undefined) this.#choosers.cancel();
  }

  async stop(): Promise<void> {
    this.#choosers.stop();
    this.#downloads.stop();
    await this.#portal.stop();
  }

  #choices(ids: readonly string[]): Choice[] {
    const choices = ids.flatMap(id => this.#uploads.find(id) ?? []);
    if (choices.length === ids.length) return choices;
    throw new CallFailure('upload_not_found', 'This upload no longer exists; send the file again.');
  }

  #drop(choices: readonly Choice[], x: number, y: number): Promise<void> {
    const display = this.#options.display();
    if (display === undefined) throw new CallFailure('not_ready', 'The display is not ready yet; try again.');
    const paths = choices.map(({ path }) => path);
    return dropFiles(this.#tabs, paths, { x, y }, display);
  }
}

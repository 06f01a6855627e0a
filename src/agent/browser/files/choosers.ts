import type { FileChooser } from '../../../protocol/generated/schemas.js';
import { hasFields, isFlag, isText, type Handover } from '../../handover/handover.js';
import { CallFailure } from '../../link/calls.js';
import type { FileDialog } from './portal/file-portal.js';
import type { TabsDebugger } from './tabs-debugger.js';

/**
 * Milliseconds that a dialog stays open: meanwhile its window takes no input. Longer while somebody is there who can
 * answer it; without, only if there are uploads, which the API's caller may hand over.
 */
const ANSWERED_WITHIN = 600_000;
const UNATTENDED = 60_000;

/** Milliseconds for the only one who can answer to come back. */
const BACK_WITHIN = 10_000;

export interface ChoosersOptions {
  readonly tabs: TabsDebugger;
  readonly handover?: Handover;
  readonly tell: (chooser: FileChooser) => void;
  /** Answers a dialog, by its handle; null: nothing was chosen. */
  readonly answer: (handle: string, paths: readonly string[] | null) => void;
  /** Whether there is anything that could be chosen without a viewer. */
  readonly hasUploads: () => boolean;
}

/** What viewers uploaded. */
export interface Choice {
  readonly path: string;
  readonly isFolder: boolean;
}

interface Chooser {
  readonly handle: string;
  readonly message: FileChooser & { open: true };
  /** The tab that it belongs to, once that is known. */
  tabId?: number;
}

/** What the next agent needs to continue with the same browser. */
interface Left {
  readonly enabled: boolean;
  readonly chooser?: Chooser | undefined;
}

const NAME = 'chooser';
const isChooser = (value: unknown) =>
  hasFields(value, {
    handle: isText,
    message: message => hasFields(message, { open: open => open === true, multiple: isFlag }),
  });
const isLeft = (value: unknown): value is Left =>
  hasFields(value, { enabled: isFlag, chooser: chooser => chooser === undefined || isChooser(chooser) });

/** The dialog in which a page wants files to be chosen: one at a time. Viewers answer it. */
export class Choosers {
  readonly #options: ChoosersOptions;
  #enabled: boolean;
  #chooser: Chooser | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: ChoosersOptions) {
    this.#options = options;
    const left = options.handover?.read(NAME, isLeft);
    this.#enabled = left?.enabled ?? false;
    this.#chooser = left?.chooser;
    if (this.#chooser !== undefined) this.#endWithin(this.#enabled ? ANSWERED_WITHIN : UNATTENDED);
    const closeOf = (tabId: number) => this.#chooser?.tabId === tabId && this.#end();
    options.tabs.listen({ fresh: () => undefined, event: () => undefined, page: closeOf, gone: closeOf });
  }

  /** A page asks for files. Returns whether somebody can be asked. */
  opened({ handle, multiple, directory, accept }: FileDialog): boolean {
    // A second one of a page that waits for both: the first has been given up.
    const before = this.#chooser;
    if (before !== undefined) this.#options.answer(before.handle, null);
    const time = this.#enabled ? ANSWERED_WITHIN : this.#options.hasUploads() ? UNATTENDED : 0;
    if (time === 0) {
      this.#closed();
      return false;
    }
    const message: Chooser['message'] = {
      type: 'file_chooser',
      open: true,
      multiple,
      ...(directory ? { directory } : {}),
      ...(accept === '' ? {} : { accept }),
    };
    const chooser: Chooser = { handle, message };
    this.#chooser = chooser;
    this.#leave();
    this.#endWithin(time);
    this.#options.tell(message);
    void this.#findTab(chooser);
    return true;
  }

  /** The program closed the dialog. */
  closed(handle: string): void {
    if (this.#chooser?.handle === handle) this.#closed();
  }

  /** The browser ended: its pages' requests cannot be answered any more. */
  lost(): void {
    this.#closed();
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  /** The chooser that a new link must be told about. */
  get open(): FileChooser | undefined {
    return this.#chooser?.message;
  }

  /** Sets whether somebody is there who can answer. */
  enable(enabled: boolean): void {
    if (enabled === this.#enabled) return;
    this.#enabled = enabled;
    this.#leave();
    if (this.#chooser !== undefined) this.#endWithin(enabled ? ANSWERED_WITHIN : BACK_WITHIN);
  }

  /** Passes files to the page. @throws CallFailure */
  choose(choices: readonly Choice[]): void {
    const { handle, message } = this.#current();
    if (message.directory && !choices.every(({ isFolder }) => isFolder))
      throw new CallFailure('folder_only', 'The page takes a folder only.');
    if (!message.directory && choices.some(({ isFolder }) => isFolder))
      throw new CallFailure('files_only', 'The page takes files only.');
    if (choices.length > 1 && !message.multiple)
      throw new CallFailure('one_file_only', `The page takes one ${message.directory ? 'folder' : 'file'} only.`);
    this.#closed();
    this.#options.answer(
      handle,
      choices.map(({ path }) => path),
    );
  }

  /** Tells the page that nothing was chosen. @throws CallFailure */
  cancel(): void {
    this.#current();
    this.#end();
  }

  #current(): Chooser {
    if (this.#chooser === undefined) throw new CallFailure('no_chooser', 'No page has an open file chooser.');
    return this.#chooser;
  }

  /** The dialog is of the page in front. Chromium leaves it open when that goes, and its window without input. */
  async #findTab(chooser: Chooser): Promise<void> {
    const [tab] = await this.#options.tabs.tabs({ active: true, lastFocusedWindow: true }).catch(() => []);
    if (tab === undefined || this.#chooser !== chooser) return;
    chooser.tabId = tab.id;
    this.#leave();
  }

  #endWithin(ms: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#end(), ms);
  }

  #end(): void {
    const chooser = this.#chooser;
    this.#closed();
    if (chooser !== undefined) this.#options.answer(chooser.handle, null);
  }

  #closed(): void {
    clearTimeout(this.#timer);
    if (this.#chooser === undefined) return;
    this.#chooser = undefined;
    this.#leave();
    this.#options.tell({ type: 'file_chooser', open: false });
  }

  #leave(): void {
    this.#options.handover?.write(NAME, { enabled: this.#enabled, chooser: this.#chooser } satisfies Left);
  }
}

import type { TabSetup } from '../../../protocol/extension.js';
import type { FileChooser } from '../../../protocol/generated/schemas.js';
import { hasFields, isFlag, isNumber, type Handover } from '../../handover/handover.js';
import { CallFailure } from '../../link/calls.js';
import type { TabsDebugger, Target } from './tabs-debugger.js';

const ACCEPT_MAX = 1000;

export interface ChoosersOptions {
  readonly tabs: TabsDebugger;
  readonly handover?: Handover;
  readonly tell: (chooser: FileChooser) => void;
}

/** The input element of a page that asks for files. */
interface Place {
  readonly target: Target;
  readonly frameId: unknown;
  readonly backendNodeId: number;
}

interface Chooser extends Place {
  readonly message: FileChooser & { open: true };
}

/** What the next agent needs to continue with the same browser. */
interface Left {
  readonly enabled: boolean;
  readonly chooser?: Chooser | undefined;
}

const NAME = 'chooser';
const isChooser = (value: unknown) =>
  hasFields(value, {
    target: target => hasFields(target, { tabId: isNumber }),
    backendNodeId: isNumber,
    message: message => hasFields(message, { open: open => open === true, multiple: isFlag }),
  });
const isLeft = (value: unknown): value is Left =>
  hasFields(value, { enabled: isFlag, chooser: chooser => chooser === undefined || isChooser(chooser) });

/** Events that tabs report, including frames in other processes. */
const setup = (enabled: boolean): TabSetup => ({
  commands: [['Page.enable'], ['Page.setInterceptFileChooserDialog', { enabled }]],
  parts: enabled ? ['iframe'] : [],
});

/** Fires the event with which Chromium tells a page that nothing was chosen. */
const CANCEL = 'function () { this.dispatchEvent(new Event("cancel", { bubbles: true })); }';

/** Handles file choosers of pages in place of Chromium, while some viewer can. */
export class Choosers {
  readonly #options: ChoosersOptions;
  #enabled: boolean;
  #chooser: Chooser | undefined;
  /** Whether the extension's next connection comes from the previous agent's browser. */
  #isTakenOver: boolean;
  /** The newest one while its accept attribute is being queried; it may disappear meanwhile. */
  #opening: Place | undefined;

  constructor(options: ChoosersOptions) {
    this.#options = options;
    const left = options.handover?.read(NAME, isLeft);
    this.#enabled = left?.enabled ?? false;
    this.#chooser = left?.chooser;
    this.#isTakenOver = left !== undefined;
    options.tabs.listen({
      fresh: () => {
        if (!this.#isTakenOver) this.#close();
        this.#isTakenOver = false;
        if (this.#enabled) void this.#interceptAll();
      },
      page: tabId => {
        if (this.#enabled) void this.#intercept(tabId);
      },
      gone: tabId => this.#closeWhere(({ target }) => target.tabId === tabId),
      event: (target, method, params) => this.#event(target, method, params),
    });
  }

  /** The browser ended: its pages' requests cannot be answered any more. */
  lost(): void {
    this.#isTakenOver = false;
    this.#close();
  }

  /** The chooser that a new link must be told about. */
  get open(): FileChooser | undefined {
    return this.#chooser?.message;
  }

  /**
   * Sets whether choosers are handled here; otherwise Chromium opens its own dialog. Resolves when that is in effect.
   */
  async enable(enabled: boolean): Promise<void> {
    if (enabled === this.#enabled) return;
    this.#enabled = enabled;
    this.#leave();
    if (!enabled) this.#close();
    if (this.#options.tabs.isConnected) await this.#interceptAll();
  }

  /** Passes files to the page. @throws CallFailure */
  async choose(paths: readonly string[]): Promise<void> {
    const chooser = this.#current();
    const { target, backendNodeId, message } = chooser;
    if (paths.length > 1 && !message.multiple) throw new CallFailure('one_file_only', 'The page takes one file only.');
    await this.#options.tabs.send(target, 'DOM.setFileInputFiles', { files: paths, backendNodeId });
    // The page may have opened several.
    if (this.#chooser === chooser) this.#closeTold();
  }

  /** Tells the page that nothing was chosen. @throws CallFailure */
  async cancel(): Promise<void> {
    const { target, backendNodeId } = this.#current();
    this.#closeTold();
    const { object } = await this.#options.tabs.send(target, 'DOM.resolveNode', { backendNodeId });
    const { objectId } = object as { objectId: string };
    await this.#options.tabs.send(target, 'Runtime.callFunctionOn', { objectId, functionDeclaration: CANCEL });
  }

  #current(): Chooser {
    if (this.#chooser === undefined) throw new CallFailure('no_chooser', 'No page has an open file chooser.');
    return this.#chooser;
  }

  async #interceptAll(): Promise<void> {
    const tabs = await this.#options.tabs.tabs({}).catch(() => []);
    await Promise.all(tabs.map(({ id }) => this.#intercept(id)));
  }

  /** Chromium's own pages do not allow debuggers; they keep Chromium's dialog. */
  async #intercept(tabId: number): Promise<void> {
    // Retried with the tab's next page.
    await this.#options.tabs.setUp(tabId, 'choosers', setup(this.#enabled)).catch(() => undefined);
  }

  #event(target: Target, method: string, params: Readonly<Record<string, unknown>>): void {
    switch (method) {
      case 'Page.fileChooserOpened':
        return void this.#opened(target, params);
      case 'Target.detachedFromTarget':
        this.#closeWhere(({ target: { sessionId } }) => sessionId === params['sessionId']);
        return;
      case 'Page.frameStartedNavigating':
      case 'Page.frameDetached':
        this.#closeWhere(({ target: { tabId }, frameId }) => tabId === target.tabId && frameId === params['frameId']);
    }
  }

  async #opened(target: Target, { frameId, backendNodeId, mode }: Readonly<Record<string, unknown>>): Promise<void> {
    // Without an input element, files cannot be passed to anything.
    if (typeof backendNodeId !== 'number' || !this.#enabled) return;
    const opening: Place = { target, frameId, backendNodeId };
    this.#opening = opening;
    const accept = await this.#accept(target, backendNodeId);
    if (this.#opening !== opening) return;
    this.#opening = undefined;
    const multiple = mode === 'selectMultiple';
    const message = { type: 'file_chooser', open: true, multiple, ...(accept === '' ? {} : { accept }) } as const;
    this.#chooser = { ...opening, message };
    this.#leave();
    this.#options.tell(message);
  }

  async #accept(target: Target, backendNodeId: number): Promise<string> {
    try {
      const { node } = await this.#options.tabs.send(target, 'DOM.describeNode', { backendNodeId });
      const { attributes = [] } = node as { attributes?: string[] };
      const at = attributes.findIndex((name, index) => index % 2 === 0 && name === 'accept');
      return at < 0 ? '' : String(attributes[at + 1]).slice(0, ACCEPT_MAX);
    } catch {
      return '';
    }
  }

  /** Closes the announced chooser, and drops the pending one, if they are at this location. */
  #closeWhere(isGone: (place: Place) => boolean): void {
    if (this.#opening !== undefined && isGone(this.#opening)) this.#opening = undefined;
    if (this.#chooser !== undefined && isGone(this.#chooser)) this.#closeTold();
  }

  #close(): void {
    this.#opening = undefined;
    this.#closeTold();
  }

  #closeTold(): void {
    if (this.#chooser === undefined) return;
    this.#chooser = undefined;
    this.#leave();
    this.#options.tell({ type: 'file_chooser', open: false });
  }

  #leave(): void {
    this.#options.handover?.write(NAME, { enabled: this.#enabled, chooser: this.#chooser } satisfies Left);
  }
}

import type { TabDebugger } from './debugger.js';

/** Milliseconds within which a page that is to be left asks whether that is meant. */
const ASKING_TIME = 5000;

/** Milliseconds to begin to observe a tab. */
const WATCH_TIMEOUT = 1000;

/** Dialogs of pages, as the DevTools protocol calls them. */
type DialogType = 'alert' | 'beforeunload' | 'confirm' | 'prompt';

/**
 * Answers dialogs of pages where nobody is to be asked: when a call leaves a page, and at the end of the session. All
 * others are Chromium's own, on the display.
 */
export class Dialogs {
  readonly #debugger: TabDebugger;
  /** The dialogs that are open, as far as tabs are observed. */
  readonly #open = new Map<number, DialogType>();
  /** Tabs whose pages are left without a question, by what ends that. */
  readonly #leaving = new Map<number, ReturnType<typeof setTimeout>>();
  #isEnding = false;

  constructor(tabDebugger: TabDebugger) {
    this.#debugger = tabDebugger;
    chrome.debugger.onDetach.addListener(({ tabId = -1 }) => this.#open.delete(tabId));
    chrome.debugger.onEvent.addListener(({ tabId }, method, params) => {
      if (tabId === undefined) return;
      if (method === 'Page.javascriptDialogClosed') this.#open.delete(tabId);
      if (method === 'Page.javascriptDialogOpening') this.#opened(tabId, (params as { type: DialogType }).type);
    });
  }

  /** Leaves the pages of tabs by a call, whose result it returns: they are not asked. */
  async leave<T>(tabIds: readonly number[], call: () => Promise<T>): Promise<T> {
    await Promise.all(tabIds.map(tabId => this.#watch(tabId)));
    for (const tabId of tabIds) {
      this.#forget(tabId);
      this.#leaving.set(
        tabId,
        setTimeout(() => this.#leaving.delete(tabId), ASKING_TIME),
      );
    }
    const result = call();
    // Of a page that asks already, the call takes the place of what it asks about.
    for (const tabId of tabIds) this.#answerOpen(tabId);
    return result;
  }

  /** From now on no dialog stays open, and no download is waited for: the browser is about to end. */
  async end(): Promise<void> {
    this.#isEnding = true;
    const tabs = await chrome.tabs.query({});
    await Promise.all([cancelDownloads(), ...tabs.map(({ id }) => id !== undefined && this.#watch(id))]);
    for (const tabId of this.#open.keys()) this.#answerOpen(tabId);
  }

  #opened(tabId: number, type: DialogType): void {
    this.#open.set(tabId, type);
    const isLeft = type === 'beforeunload' && this.#leaving.has(tabId);
    if (isLeft) this.#forget(tabId);
    if (isLeft || this.#isEnding) this.#answerOpen(tabId);
  }

  #forget(tabId: number): void {
    clearTimeout(this.#leaving.get(tabId));
    this.#leaving.delete(tabId);
  }

  /** Leaves the page that asks about that, and cancels other dialogs. It may be gone. */
  #answerOpen(tabId: number): void {
    const type = this.#open.get(tabId);
    if (type === undefined) return;
    const params = { accept: type === 'beforeunload' };
    this.#debugger.send(tabId, 'Page.handleJavaScriptDialog', params).catch(() => undefined);
  }

  /** Has Chromium report the dialogs of a tab, if it has a page that can be observed. */
  async #watch(tabId: number): Promise<void> {
    const watched = this.#enable(tabId).catch(() => undefined);
    await Promise.race([watched, new Promise(resolve => setTimeout(resolve, WATCH_TIMEOUT))]);
  }

  /** Does not wait for the page, which may be busy. */
  async #enable(tabId: number): Promise<void> {
    const { discarded, status } = await chrome.tabs.get(tabId);
    if (!discarded && status !== 'unloaded') await this.#debugger.request(tabId, 'Page.enable');
  }
}

/** Chromium asks before it ends with a download under way. */
async function cancelDownloads(): Promise<void> {
  const downloads = await chrome.downloads.search({ state: 'in_progress' });
  await Promise.allSettled(downloads.map(({ id }) => chrome.downloads.cancel(id)));
}

import type { DialogOutcome } from '../../protocol/extension.js';
import type { DialogAnswer } from '../../protocol/generated/schemas.js';
import type { TabDebugger } from './debugger.js';
import type { OpenDialogs } from './open-dialogs.js';

/** Milliseconds within which a page that is to be left asks whether that is meant. */
const ASKING_TIME = 5000;

/** Milliseconds to begin to observe a tab. */
const WATCH_TIMEOUT = 1000;

/** Dialogs of pages, as the DevTools protocol calls them. */
const TYPES = ['alert', 'beforeunload', 'confirm', 'prompt'] as const;
type DialogType = (typeof TYPES)[number];

/** What the DevTools protocol tells of a dialog. */
interface Opening {
  readonly type: DialogType;
  readonly url: string;
  readonly message: string;
  readonly defaultPrompt?: string;
}

/**
 * Observes the dialogs of pages, which are Chromium's own, on the display. Answers those that programs answer, and all
 * where nobody is to be asked: when a call leaves a page, and at the end of the session.
 */
export class Dialogs {
  readonly #debugger: TabDebugger;
  readonly #listed: OpenDialogs;
  /** The dialogs that are open, as far as tabs are observed. */
  readonly #open = new Map<number, DialogType>();
  /** Tabs whose pages are left without a question, by what ends that. */
  readonly #leaving = new Map<number, ReturnType<typeof setTimeout>>();
  #isEnding = false;

  constructor(tabDebugger: TabDebugger, listed: OpenDialogs) {
    this.#debugger = tabDebugger;
    this.#listed = listed;
    chrome.debugger.onDetach.addListener(({ tabId = -1 }) => this.#closed(tabId));
    chrome.debugger.onEvent.addListener(({ tabId }, method, params) => {
      if (tabId === undefined) return;
      if (method === 'Page.javascriptDialogClosed') this.#closed(tabId);
      if (method === 'Page.javascriptDialogOpening') this.#opened(tabId, params as object as Opening);
    });
    chrome.tabs.onCreated.addListener(({ id }) => id !== undefined && void this.#watch(id));
    // Chromium's own pages are not observed; the next page of such a tab is.
    chrome.tabs.onUpdated.addListener((id, { status }) => status === 'loading' && void this.#watch(id));
    void chrome.tabs.query({}).then(tabs => tabs.forEach(({ id }) => id !== undefined && void this.#watch(id)));
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

  #opened(tabId: number, { type, url, message, defaultPrompt }: Opening): void {
    this.#open.set(tabId, type);
    const isLeft = type === 'beforeunload' && this.#leaving.has(tabId);
    if (isLeft) this.#forget(tabId);
    if (isLeft || this.#isEnding) return this.#answerOpen(tabId);
    this.#listed.open(
      {
        type,
        tab_id: tabId,
        url,
        // What pages say there is not shown.
        message: type === 'beforeunload' ? '' : message,
        ...(type === 'prompt' ? { default_value: defaultPrompt ?? '' } : {}),
      },
      answer => this.#answer(tabId, answer, defaultPrompt),
    );
  }

  #closed(tabId: number): void {
    this.#open.delete(tabId);
    this.#listed.close(tabId, TYPES);
  }

  async #answer(tabId: number, answer: DialogAnswer | null, defaultPrompt = ''): Promise<DialogOutcome> {
    const params = answer === null ? { accept: false } : { accept: true, promptText: answer.text ?? defaultPrompt };
    const sent = this.#debugger.send(tabId, 'Page.handleJavaScriptDialog', params);
    return sent.then(
      () => 'answered',
      () => 'gone',
    );
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

import { readConnection } from './connection.js';

/** Chromium's own pages. */
const OWN_PAGES = /^(chrome|devtools|view-source):/;

/** Chromium changes no tabs while it is busy with them, and says so; pauses until it is tried again, ms. */
const BUSY = 'cannot be edited right now';
const PAUSES_MS = [50, 200, 500, 1000, 2000];

/**
 * Keeps a kiosk in the tab that it shows: it has neither tabs nor buttons to come back from another one. What a page
 * opens in a new tab or window is opened in the tab of that page, so that its history leads back; Chromium's own pages,
 * such as an empty new tab, are closed. Windows that scripts open with a size are left alone, since they can be closed, and
 * so is what calls open.
 */
export class Kiosk {
  readonly #isOn = readConnection().then(({ kiosk }) => kiosk);
  /** Calls under way that open tabs, and the tabs that such calls have opened. */
  readonly #calls = new Set<Promise<unknown>>();
  readonly #called = new Set<number>();
  /** Tabs that no call has opened, whose address may still come, by the tab of the page that did, if any. */
  readonly #opened = new Map<number, number | undefined>();

  constructor() {
    chrome.tabs.onCreated.addListener(tab => void this.#created(tab).catch(() => undefined));
    chrome.tabs.onUpdated.addListener((tabId, { url }) => {
      if (url !== undefined && this.#opened.has(tabId)) void this.#shows(tabId, url).catch(() => undefined);
    });
    chrome.tabs.onRemoved.addListener(tabId => {
      this.#called.delete(tabId);
      this.#opened.delete(tabId);
    });
  }

  /** Carries out a call that may open a tab, which is its result. */
  async open(call: () => Promise<unknown>): Promise<unknown> {
    const opening = call().then(tab => {
      const { id } = (tab ?? {}) as { id?: number };
      if (id !== undefined) this.#called.add(id);
      return tab;
    });
    this.#calls.add(opening);
    try {
      return await opening;
    } finally {
      this.#calls.delete(opening);
    }
  }

  async #created({ id, windowId, openerTabId, pendingUrl, url }: chrome.tabs.Tab): Promise<void> {
    if (id === undefined || !(await this.#isOn)) return;
    await Promise.allSettled([...this.#calls]);
    if (this.#called.has(id)) return;
    const windows = await normalWindows();
    const main = windows[0];
    if (main?.id === undefined || !windows.some(window => window.id === windowId)) return;
    const isElsewhere = windowId !== main.id;
    // The page may also be in a window that was opened with a size.
    const before =
      openerTabId === undefined
        ? main.tabs?.find(({ active }) => isElsewhere && active)
        : await chrome.tabs.get(openerTabId).catch(() => undefined);
    // A browser that was prepared has its page opened beside a tab without one.
    this.#opened.set(id, isWebPage(before?.url ?? '') ? before?.id : undefined);
    if (await this.#shows(id, pendingUrl || url || '')) return;
    // It may have got its address since then.
    const { url: loaded = '' } = await chrome.tabs.get(id);
    if ((await this.#shows(id, loaded)) || !isElsewhere) return;
    await patiently(() => chrome.tabs.move(id, { windowId: main.id, index: -1 }));
    await chrome.tabs.update(id, { active: true });
  }

  /** A tab that was opened shows this address. Returns whether it is no longer there for that. */
  async #shows(id: number, address: string): Promise<boolean> {
    const origin = this.#opened.get(id);
    if (isWebPage(address) && origin !== undefined) {
      await close(id);
      await chrome.tabs.update(origin, { url: address, active: true });
      return true;
    }
    const isLeft = async () => (await normalWindows()).flatMap(({ tabs = [] }) => tabs).some(tab => tab.id !== id);
    if (!OWN_PAGES.test(address) || !(await isLeft())) return false;
    await close(id);
    return true;
  }
}

const isWebPage = (url: string) => /^https?:/.test(url);

/** Windows that are not opened with a size, the first one first, with their tabs. */
async function normalWindows(): Promise<chrome.windows.Window[]> {
  const windows = await chrome.windows.getAll({ windowTypes: ['normal'], populate: true });
  return windows.sort((a, b) => (a.id ?? 0) - (b.id ?? 0));
}

const close = (id: number) => patiently(() => chrome.tabs.remove(id));

/** Tries again while Chromium is busy with its tabs. */
async function patiently(change: () => Promise<unknown>): Promise<void> {
  for (const pause of [...PAUSES_MS, null]) {
    try {
      return void (await change());
    } catch (error) {
      if (pause === null || !String(error).includes(BUSY)) throw error;
      await new Promise(resolve => setTimeout(resolve, pause));
    }
  }
}

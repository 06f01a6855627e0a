import { readConnection } from './connection.js';

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
  /** Tabs that pages have opened, whose address is not known yet, by the tab of that page. */
  readonly #opened = new Map<number, number>();

  constructor() {
    chrome.tabs.onCreated.addListener(tab => void this.#created(tab).catch(() => undefined));
    chrome.tabs.onUpdated.addListener((tabId, { url = '' }) => {
      const origin = this.#opened.get(tabId);
      if (origin !== undefined && isWebPage(url)) void bringBack(tabId, origin, url).catch(() => undefined);
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
    const windows = await chrome.windows.getAll({ windowTypes: ['normal'], populate: true });
    const main = windows.sort((a, b) => (a.id ?? 0) - (b.id ?? 0))[0];
    if (main?.id === undefined || !windows.some(window => window.id === windowId)) return;
    const isElsewhere = windowId !== main.id;
    // The page may also be in a window that was opened with a size.
    const before =
      openerTabId === undefined
        ? main.tabs?.find(({ active }) => isElsewhere && active)
        : await chrome.tabs.get(openerTabId).catch(() => undefined);
    // A browser that was prepared has its page opened beside a tab without one.
    const origin = isWebPage(before?.url ?? '') ? before?.id : undefined;
    const address = pendingUrl || url || '';
    const isOnly = !isElsewhere && main.tabs?.length === 1;
    if (origin !== undefined && isWebPage(address)) return bringBack(id, origin, address);
    if (origin !== undefined) {
      this.#opened.set(id, origin);
      const { url: loaded = '' } = await chrome.tabs.get(id);
      if (isWebPage(loaded)) return bringBack(id, origin, loaded);
    }
    if (/^(chrome|devtools|view-source):/.test(address)) {
      if (!isOnly) await chrome.tabs.remove(id);
    } else if (isElsewhere) {
      await chrome.tabs.move(id, { windowId: main.id, index: -1 });
      await chrome.tabs.update(id, { active: true });
    }
  }
}

const isWebPage = (url: string) => /^https?:/.test(url);

/** Opens the page of a tab in the one that it came from. */
async function bringBack(tabId: number, origin: number, url: string): Promise<void> {
  await chrome.tabs.remove(tabId);
  await chrome.tabs.update(origin, { url, active: true });
}

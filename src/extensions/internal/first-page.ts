import { isPageless } from '../../protocol/extension.js';

/** Milliseconds after which a window that does not get the display's size is taken as it is. */
const SIZE_TIMEOUT = 1000;

/** Milliseconds within which a page that Chromium was asked for has a tab. */
const TAB_TIMEOUT = 5000;

/** Pixels of the display. */
interface Size {
  readonly width: number;
  readonly height: number;
}

/** Resolves when the window has the display's size, or will not get it: a page is not to be resized while it loads. */
export async function fillDisplay({ width, height }: Size): Promise<void> {
  const [window] = await chrome.windows.getAll({ windowTypes: ['normal'] });
  if (window?.id === undefined) throw new Error('The browser has no window.');
  const { id } = window;
  const isFilled = (each: chrome.windows.Window) => each.width === width && each.height === height;
  if (isFilled(window)) return;
  await new Promise<void>(resolve => {
    const done = () => {
      clearTimeout(timer);
      chrome.windows.onBoundsChanged.removeListener(changed);
      resolve();
    };
    const changed = (each: chrome.windows.Window) => {
      if (each.id === id && isFilled(each)) done();
    };
    const timer = setTimeout(done, SIZE_TIMEOUT);
    chrome.windows.onBoundsChanged.addListener(changed);
    // It may have changed before anybody listened.
    void chrome.windows.get(id).then(changed, done);
  });
}

/**
 * Closes the tabs without a page in whose place Chromium opens one, once that has its tab, which is the newest. Returns
 * the IDs of the tabs.
 */
export async function closePageless(): Promise<{ opened: number; closed: number[] }> {
  const tabs = await severalTabs();
  const opened = Math.max(...tabs.map(({ id }) => id ?? chrome.tabs.TAB_ID_NONE));
  const closed = tabs.flatMap(tab => (tab.id !== undefined && tab.id !== opened && isPageless(tab) ? tab.id : []));
  await chrome.tabs.remove(closed);
  return { opened, closed };
}

/** All tabs, of which one was just opened. */
async function severalTabs(): Promise<chrome.tabs.Tab[]> {
  let created = (): void => undefined;
  const isCreated = new Promise<void>((resolve, reject) => {
    created = resolve;
    setTimeout(() => reject(new Error('The page has no tab.')), TAB_TIMEOUT);
  });
  isCreated.catch(() => undefined);
  chrome.tabs.onCreated.addListener(created);
  try {
    const tabs = await chrome.tabs.query({});
    if (tabs.length > 1) return tabs;
    await isCreated;
    return await chrome.tabs.query({});
  } finally {
    chrome.tabs.onCreated.removeListener(created);
  }
}

/** Milliseconds after which a window that does not get the display's size is taken as it is. */
const SIZE_TIMEOUT = 1000;

/** Pixels of the display. */
interface Size {
  readonly width: number;
  readonly height: number;
}

/**
 * Opens a page in the place of everything that is open: in a tab of its own, whose history begins with it. Waits until
 * the window fills the display, so that the page is not resized while it loads. Returns the IDs of the tabs.
 */
export async function openFirstPage(url: string, size: Size): Promise<{ opened: number; closed: number[] }> {
  const [window] = await chrome.windows.getAll({ populate: true, windowTypes: ['normal'] });
  if (window?.id === undefined) throw new Error('The browser has no window.');
  const before = (window.tabs ?? []).flatMap(({ id }) => id ?? []);
  await fills(window, size);
  const { id: opened = chrome.tabs.TAB_ID_NONE } = await chrome.tabs.create({ windowId: window.id, url, active: true });
  await chrome.tabs.remove(before);
  return { opened, closed: before };
}

/** Resolves when a window has the display's size, or will not get it. */
async function fills(window: chrome.windows.Window, { width, height }: Size): Promise<void> {
  const isFilled = (each: chrome.windows.Window) => each.width === width && each.height === height;
  if (isFilled(window)) return;
  await new Promise<void>(resolve => {
    const done = () => {
      clearTimeout(timer);
      chrome.windows.onBoundsChanged.removeListener(changed);
      resolve();
    };
    const changed = (each: chrome.windows.Window) => {
      if (each.id === window.id && isFilled(each)) done();
    };
    const timer = setTimeout(done, SIZE_TIMEOUT);
    chrome.windows.onBoundsChanged.addListener(changed);
    // It may have changed before anybody listened.
    void chrome.windows.get(window.id ?? -1).then(changed, done);
  });
}

/** Pixels of the display. */
export interface Place {
  readonly x: number;
  readonly y: number;
}

/** The tab in the foreground, and the position of its page on the display, in pixels. */
export interface ActiveTab {
  readonly tabId: number;
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
  /** Whether its window has the focus, rather than another one on the desktop. */
  readonly isFocused: boolean;
}

/** Finds it; undefined if the browser has no window. */
export async function activeTab(): Promise<ActiveTab | undefined> {
  const window = await chrome.windows.getLastFocused({ populate: true }).catch(() => undefined);
  const tab = window?.tabs?.find(({ active }) => active);
  if (window === undefined || tab?.id === undefined) return undefined;
  // Everything that a window has besides the page is above it.
  const { width = 0, height = 0 } = tab;
  const top = (window.top ?? 0) + (window.height ?? 0) - height;
  return { tabId: tab.id, left: window.left ?? 0, top, width, height, isFocused: window.focused };
}

/** Whether a place is on its page, in the window that has the focus. */
export const isOnPage = ({ isFocused, left, top, width, height }: ActiveTab, { x, y }: Place): boolean =>
  isFocused && x >= left && x < left + width && y >= top && y < top + height;

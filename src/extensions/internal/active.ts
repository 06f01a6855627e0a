/** The tab that people look at, and where its page is on the display, in pixels. */
export interface ActiveTab {
  readonly tabId: number;
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
  /** Whether its window has the focus, and no other one of the desktop. */
  readonly isFocused: boolean;
}

/** Finds it; undefined where no window of the browser is there. */
export async function activeTab(): Promise<ActiveTab | undefined> {
  const window = await chrome.windows.getLastFocused({ populate: true }).catch(() => undefined);
  const tab = window?.tabs?.find(({ active }) => active);
  if (window === undefined || tab?.id === undefined) return undefined;
  // All that a window has besides the page is above it.
  const { width = 0, height = 0 } = tab;
  const top = (window.top ?? 0) + (window.height ?? 0) - height;
  return { tabId: tab.id, left: window.left ?? 0, top, width, height, isFocused: window.focused };
}

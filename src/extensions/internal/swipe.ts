import { activeTab } from './active.js';

/**
 * Navigates the history like a swipe in that direction: to the right is back. Does nothing if there is no further
 * entry.
 */
export async function swipe(direction: unknown): Promise<void> {
  if (direction !== 'left' && direction !== 'right') throw new Error('A swipe goes left or right.');
  const tab = await activeTab();
  if (tab === undefined) return;
  const moved = direction === 'right' ? chrome.tabs.goBack(tab.tabId) : chrome.tabs.goForward(tab.tabId);
  await moved.catch(() => undefined);
}

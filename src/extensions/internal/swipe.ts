import { activeTab } from './active.js';

/** Goes through the history as a swipe of that direction does: to the right is back. Nothing where there is no more. */
export async function swipe(direction: unknown): Promise<void> {
  if (direction !== 'left' && direction !== 'right') throw new Error('A swipe goes left or right.');
  const tab = await activeTab();
  if (tab === undefined) return;
  const moved = direction === 'right' ? chrome.tabs.goBack(tab.tabId) : chrome.tabs.goForward(tab.tabId);
  await moved.catch(() => undefined);
}

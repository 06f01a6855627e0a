import { activeTab, isOnPage, type Place } from './active.js';
import type { TabDebugger } from './debugger.js';

/** Scrolls by pixels at a position of the page; false if the focused page does not scroll. */
export async function scroll(tabDebugger: TabDebugger, place: Place, deltaX: number, deltaY: number): Promise<boolean> {
  const tab = await activeTab();
  if (tab === undefined || !isOnPage(tab, place)) return false;
  const at = { x: place.x - tab.left, y: place.y - tab.top };
  await tabDebugger.send(tab.tabId, 'Input.dispatchMouseEvent', { type: 'mouseWheel', ...at, deltaX, deltaY });
  return true;
}

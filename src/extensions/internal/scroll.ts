import { activeTab } from './active.js';
import type { TabDebugger } from './debugger.js';

/** Pixels of the display. */
export interface Place {
  readonly x: number;
  readonly y: number;
}

/** Scrolls by pixels at a position of the page; false if the focused page does not scroll. */
export async function scroll(
  tabDebugger: TabDebugger,
  { x, y }: Place,
  deltaX: number,
  deltaY: number,
): Promise<boolean> {
  const tab = await activeTab();
  if (tab === undefined || !tab.isFocused) return false;
  const at = { x: x - tab.left, y: y - tab.top };
  if (at.x < 0 || at.x >= tab.width || at.y < 0 || at.y >= tab.height) return false;
  await tabDebugger.send(tab.tabId, 'Input.dispatchMouseEvent', { type: 'mouseWheel', ...at, deltaX, deltaY });
  return true;
}

import { CallFailure } from '../../link/calls.js';
import type { TabsDebugger, Target } from './tabs-debugger.js';

/** Size of the display, or of a page on it, in pixels. */
export interface DisplaySize {
  readonly width: number;
  readonly height: number;
}

const COPY = 1;

/**
 * On pages that ignore file drops, the browser would navigate to the file, which is blocked. File inputs accept drops
 * without any code of the page.
 */
const GUARD = `(() => {
  const guard = event => {
    if (event.defaultPrevented || event.composedPath()[0]?.matches?.('input[type=file]')) return;
    event.preventDefault();
    event.dataTransfer.dropEffect = 'none';
  };
  for (const name of ['dragover', 'drop']) {
    addEventListener(name, guard);
    setTimeout(() => removeEventListener(name, guard), 2000);
  }
})()`;

/**
 * Converts a position on the display, in fractions, to pixels in a tab's page; undefined outside the page. Pages are at
 * the bottom of their window, which fills the display.
 */
export function placeInPage(x: number, y: number, display: DisplaySize, page: DisplaySize) {
  const left = x * (display.width - 1) - (display.width - page.width) / 2;
  const top = y * (display.height - 1) - (display.height - page.height);
  const inside = left >= 0 && left < page.width && top >= 0 && top < page.height;
  return inside ? { x: left, y: top } : undefined;
}

/** Drops files onto the page in the foreground. `x` and `y` are fractions of the display. @throws CallFailure */
export async function dropFiles(
  tabs: TabsDebugger,
  files: readonly string[],
  { x, y }: { x: number; y: number },
  display: DisplaySize,
): Promise<void> {
  const [tab] = await tabs.tabs({ active: true, lastFocusedWindow: true });
  const { width = 0, height = 0 } = tab ?? {};
  const place = placeInPage(x, y, display, { width, height });
  if (tab === undefined || place === undefined) throw new CallFailure('no_page', 'There is no page at this position.');
  const target = { tabId: tab.id };
  await guardPage(tabs, target);
  const drag = { ...place, data: { items: [], files, dragOperationsMask: COPY } };
  for (const type of ['dragEnter', 'dragOver', 'drop'])
    await tabs.send(target, 'Input.dispatchDragEvent', { type, ...drag });
}

async function guardPage(tabs: TabsDebugger, target: Target): Promise<void> {
  const { frameTree } = await tabs.send(target, 'Page.getFrameTree');
  const { frame } = frameTree as { frame: { id: string } };
  const world = { frameId: frame.id, worldName: 'berth' };
  const { executionContextId: contextId } = await tabs.send(target, 'Page.createIsolatedWorld', world);
  await tabs.send(target, 'Runtime.evaluate', { expression: GUARD, contextId });
}

import type { Size } from '../../lib/geometry.js';

const MIN_SIDE = 160;
const MAX_SIDE = 4096;

/** The display size that fills a window: even sides, and at most `maxArea` pixels. */
export function fitSize(window: Size, maxArea: number): Size {
  const scale = Math.min(1, Math.sqrt(maxArea / (window.width * window.height)));
  const side = (length: number) => Math.min(MAX_SIDE, Math.max(MIN_SIDE, Math.floor((length * scale) / 2) * 2));
  return { width: side(window.width), height: side(window.height) };
}

/**
 * Calls `resize` with the size of an element that fills the window, initially and after each change. A phone's keyboard
 * changes the window, but not the element.
 */
export function followSize(element: HTMLElement, resize: (size: Size) => void): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const report = () => resize({ width: element.clientWidth, height: element.clientHeight });
  addEventListener('resize', () => {
    clearTimeout(timer);
    timer = setTimeout(report, 250);
  });
  report();
}

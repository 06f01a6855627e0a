/** What can have the keyboard's focus. */
const STOPS =
  'a[href], area[href], button, input, select, textarea, summary, iframe, audio[controls], video[controls], ' +
  '[tabindex], [contenteditable]:not([contenteditable="false"])';

/**
 * Moves the keyboard's focus to what comes after an element, first inside its shadow root, then on the page around it.
 * Returns whether there is such an element.
 */
export function moveOn(from: Element): boolean {
  for (let at: Element | null = from; at !== null; at = hostOf(at)) {
    const root = at.getRootNode() as Document | ShadowRoot;
    for (const next of root.querySelectorAll<HTMLElement>(STOPS)) {
      const comesAfter = (at.compareDocumentPosition(next) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0;
      if (!comesAfter || at.contains(next) || next.tabIndex < 0) continue;
      next.focus();
      // What is hidden or disabled takes no focus.
      if (root.activeElement === next) return true;
    }
  }
  return false;
}

function hostOf(element: Element): Element | null {
  const root = element.getRootNode();
  return root instanceof ShadowRoot ? root.host : null;
}

import type { CommonSession } from '../../sdk/index.js';

/** Whether a button was pressed by the keyboard: then the focus goes with what it opens. */
export const isByKeyboard = ({ detail }: MouseEvent): boolean => detail === 0;

/** Remembers what has the keyboard's focus. The result gives it back, or to the session if that is not possible. */
export function rememberFocus(session: Pick<CommonSession, 'focus'>): () => void {
  const before = document.activeElement;
  return () => {
    if (before instanceof HTMLElement) before.focus();
    if (before === document.body || document.activeElement !== before) session.focus();
  };
}

/** What the page hears when something with the keyboard's focus is removed from it. */
export const FOCUS_LOST = 'berth-focus-lost';

/** Removes a card or a message; if it has the keyboard's focus, the page hears of it. */
export function discard(box: HTMLElement): void {
  const hadFocus = box.contains(document.activeElement);
  box.remove();
  if (hadFocus) dispatchEvent(new Event(FOCUS_LOST));
}

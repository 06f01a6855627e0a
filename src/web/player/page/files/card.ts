import { element, icon } from '../../../lib/dom.js';
import { ICONS } from '../icons.js';

/** A small box with a title, content and a close button. */
export function card(title: Node | string, closeName: string, close: () => void, ...content: Node[]): HTMLElement {
  const button = element(
    'button',
    { type: 'button', className: 'close', title: closeName, onclick: close },
    icon(ICONS.close),
  );
  button.setAttribute('aria-label', closeName);
  const head = element('div', { className: 'head' }, element('span', { className: 'title' }, title), button);
  const box = element('section', { className: 'card' }, head, ...content);
  // Returns keyboard users to the session.
  box.addEventListener('keydown', event => event.key === 'Escape' && close());
  return box;
}

import { element, icon } from '../../sdk/dom.js';
import { ICONS } from './icons.js';

const SHOWN_MS = 15_000;

/** A sentence at the upper edge that goes by itself or by a click. */
export function notice(sentence: string): HTMLElement {
  const close = element('button', { type: 'button', title: 'Close' }, icon(ICONS.close));
  close.setAttribute('aria-label', 'Close this note');
  const box = element('div', { className: 'notice' }, element('span', { textContent: sentence }), close);
  box.setAttribute('role', 'status');
  const timer = setTimeout(() => box.remove(), SHOWN_MS);
  close.onclick = () => {
    clearTimeout(timer);
    box.remove();
  };
  return box;
}

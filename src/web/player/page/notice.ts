import { element, icon } from '../../lib/dom.js';
import { discard } from './focus.js';
import { ICONS } from './icons.js';
import { say } from '../../languages/page.js';

const SHOWN_MS = 15_000;

/** An action offered by a notice. */
export interface NoticeAction {
  readonly name: string;
  readonly act: () => void;
}

/** A sentence at the upper edge that disappears by itself or on a click. */
export function notice(sentence: string, action?: NoticeAction): HTMLElement {
  const close = element('button', { type: 'button', title: say('close') }, icon(ICONS.close));
  close.setAttribute('aria-label', say('closeMessage'));
  const box = element('div', { className: 'notice' }, element('span', { textContent: sentence }));
  const timer = setTimeout(() => discard(box), SHOWN_MS);
  const go = () => {
    clearTimeout(timer);
    discard(box);
  };
  close.onclick = go;
  if (action !== undefined) {
    const act = () => (go(), action.act());
    box.append(element('button', { type: 'button', className: 'act', textContent: action.name, onclick: act }));
  }
  box.append(close);
  return box;
}

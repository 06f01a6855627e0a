import { element } from '../../lib/dom.js';
import type { BrowserSession, Dialog } from '../../sdk/index.js';
import { card } from './files/card.js';
import { discard } from './focus.js';
import { say } from '../../languages/page.js';

/** Width of a display in pixels below which buttons of Chromium's own dialogs are outside. */
const NATIVE_WIDTH = 460;

type ButtonKey = 'ok' | 'cancel' | 'leavePage' | 'stayOnPage';

/** What the buttons are called, and the other one if there are two; dialogs of other types fit. */
const BUTTONS: Partial<Record<Dialog['type'], readonly [accept: ButtonKey, dismiss?: ButtonKey]>> = {
  alert: ['ok'],
  confirm: ['ok', 'cancel'],
  prompt: ['ok', 'cancel'],
  beforeunload: ['leavePage', 'stayOnPage'],
};

type AskedSession = Pick<BrowserSession, 'dialogs' | 'width' | 'isFocused'>;

/** Shows dialogs of pages on displays that are too narrow for Chromium's own. */
export class DialogCard {
  readonly #session: AskedSession;
  readonly #show: (card: HTMLElement) => void;
  #dialogs: readonly Dialog[] = [];
  #hasControl = false;
  #shown: { readonly id: string; readonly card: HTMLElement } | undefined;

  constructor(session: AskedSession, show: (card: HTMLElement) => void) {
    this.#session = session;
    this.#show = show;
  }

  /** Whether the viewer has control now. */
  allow(hasControl: boolean): void {
    this.#hasControl = hasControl;
    this.#update();
  }

  /** The dialogs that are open. */
  update(dialogs: readonly Dialog[]): void {
    this.#dialogs = dialogs;
    this.#update();
  }

  #update(): void {
    const isNarrow = this.#session.width < NATIVE_WIDTH;
    const dialog = this.#hasControl && isNarrow ? this.#dialogs.findLast(({ type }) => type in BUTTONS) : undefined;
    if (dialog?.id === this.#shown?.id) return;
    if (this.#shown !== undefined) discard(this.#shown.card);
    this.#shown = dialog && { id: dialog.id, card: this.#cardOf(dialog) };
    if (this.#shown === undefined) return;
    this.#show(this.#shown.card);
    // As Chromium's own would; a user who is busy elsewhere is not interrupted.
    if (this.#session.isFocused) this.#shown.card.querySelector<HTMLElement>('input, .primary')?.focus();
  }

  #cardOf({ id, type, origin, message, defaultValue }: Dialog): HTMLElement {
    const [accept, dismiss] = labelsOf(type);
    const title = titleOf(type, origin);
    const field =
      type === 'prompt' ? element('input', { type: 'text', dir: 'auto', value: defaultValue ?? '' }) : undefined;
    field?.setAttribute('aria-label', say('answer'));
    field?.addEventListener('keydown', ({ key, isComposing }) => key === 'Enter' && !isComposing && agree());
    const { dialogs } = this.#session;
    // Another viewer may have answered it at the same moment.
    const cancel = () => void dialogs.dismiss(id).catch(() => undefined);
    const agree = () =>
      void dialogs.accept(id, field === undefined ? undefined : { text: field.value }).catch(() => undefined);
    const button = (textContent: string, onclick: () => void, className = '') =>
      element('button', { type: 'button', textContent, onclick, className });
    const actions = element('div', { className: 'actions' }, button(accept, agree, 'primary'));
    if (dismiss !== undefined) actions.append(button(dismiss, cancel));
    const text = element('p', { className: 'said', dir: 'auto', textContent: message });
    const box = card(title, dismiss ?? accept, cancel, text, ...(field === undefined ? [] : [field]), actions);
    box.setAttribute('role', 'dialog');
    box.setAttribute('aria-label', title);
    return box;
  }
}

function labelsOf(type: Dialog['type']): readonly [accept: string, dismiss?: string] {
  const [accept, dismiss] = BUTTONS[type] ?? ['ok'];
  return dismiss === undefined ? [say(accept)] : [say(accept), say(dismiss)];
}

function titleOf(type: Dialog['type'], origin: string): string {
  if (type === 'beforeunload') return say('leaveThisPage');
  const site = origin.replace(/^https?:\/\//, '');
  return site === '' ? say('pageSays') : say('siteSays', { site });
}

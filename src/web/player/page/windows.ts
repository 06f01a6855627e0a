import { element, icon } from '../../lib/dom.js';
import type { Access, BrowserWindow, PendingSession } from '../../sdk/index.js';
import { attempt } from './actions.js';
import { isByKeyboard, rememberFocus } from './focus.js';
import { ICONS } from './icons.js';
import { say } from '../../languages/page.js';

interface Row {
  readonly item: HTMLLIElement;
  readonly title: HTMLButtonElement;
  readonly close: HTMLButtonElement;
}

/** Keeps the keyboard focus on the video, and a phone's keyboard open. */
const keepFocus = (event: Event) => event.preventDefault();

/** A small list of the session's windows, to switch between them and to close them; shown while there are several. */
export class WindowList {
  readonly element = element('nav', { className: 'windows', hidden: true });
  readonly #toggle = element('button', { type: 'button', className: 'toggle' });
  readonly #list = element('ul', { id: 'windows', hidden: true });
  readonly #rows = new Map<number, Row>();
  readonly #session: PendingSession;
  readonly #show: (note: HTMLElement) => void;
  #mayControl = false;
  #windows: readonly BrowserWindow[] = [];
  /** Gives the focus back to what had it before the list was opened. */
  #goBack = () => {};

  /** @param show displays why a call failed */
  constructor(session: PendingSession, show: (note: HTMLElement) => void) {
    this.#session = session;
    this.#show = show;
    this.element.setAttribute('aria-label', say('windows'));
    this.#toggle.setAttribute('aria-controls', this.#list.id);
    this.#toggle.setAttribute('aria-expanded', 'false');
    this.#toggle.addEventListener('pointerdown', keepFocus);
    this.#toggle.onclick = event => {
      this.#goBack = rememberFocus(session);
      this.#open(this.#list.hidden);
      if (isByKeyboard(event)) this.#focusCurrent();
    };
    this.element.append(this.#list, this.#toggle);
    this.element.addEventListener('keydown', event => {
      if (event.key !== 'Escape') return;
      if (this.#list.hidden) return session.focus();
      this.#open(false);
      this.#goBack();
    });
  }

  /** The viewer's permissions have changed. */
  allow({ control }: Access): void {
    this.#mayControl = control;
    this.#update();
  }

  /** The windows of the session have changed. */
  update(windows: readonly BrowserWindow[]): void {
    this.#windows = windows;
    this.#update();
  }

  /** Rows stay while their windows do: one of them may have the keyboard's focus, or be pressed. */
  #update(): void {
    const hadFocus = this.element.contains(document.activeElement);
    for (const [id, { item }] of this.#rows) {
      if (this.#windows.some(window => window.id === id)) continue;
      this.#rows.delete(id);
      item.remove();
    }
    for (const window of this.#windows) {
      const row = this.#rows.get(window.id) ?? this.#add(window.id);
      const name = window.title || say(`window_${window.kind}`);
      row.title.textContent = name;
      row.title.dir = 'auto';
      row.title.title = name;
      row.title.setAttribute('aria-current', String(window.active));
      row.close.title = say('closeWindow', { name });
      row.close.setAttribute('aria-label', row.close.title);
    }
    this.#toggle.textContent = say('windowCount', { count: this.#windows.length });
    this.element.hidden = !this.#mayControl || this.#windows.length < 2;
    if (this.element.hidden) this.#open(false);
    if (!hadFocus || this.element.contains(document.activeElement)) return;
    this.#focusCurrent();
    if (!this.element.contains(document.activeElement)) this.#session.focus();
  }

  #open(isOpen: boolean): void {
    this.#list.hidden = !isOpen;
    this.#toggle.setAttribute('aria-expanded', String(isOpen));
  }

  #focusCurrent(): void {
    this.#list.querySelector<HTMLElement>('[aria-current="true"]')?.focus();
  }

  #add(id: number): Row {
    const { windows } = this.#session;
    const title = this.#button('name', () => {
      this.#open(false);
      return windows.activate(id);
    });
    const close = this.#button('close', () => windows.close(id));
    close.append(icon(ICONS.close));
    const row = { item: element('li', {}, title, close), title, close };
    this.#list.append(row.item);
    this.#rows.set(id, row);
    return row;
  }

  #button(className: string, call: () => Promise<unknown>): HTMLButtonElement {
    const button = element('button', { type: 'button', className });
    button.addEventListener('pointerdown', keepFocus);
    // By the keyboard, the next one is probably closed after it.
    const stay = { focus: () => undefined };
    button.onclick = event =>
      void attempt(className === 'close' && isByKeyboard(event) ? stay : this.#session, call, this.#show);
    return button;
  }
}

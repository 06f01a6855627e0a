import { element } from '../../../lib/dom.js';
import type { CommonSession, Download } from '../../../sdk/index.js';
import { rememberFocus } from '../focus.js';
import { card } from './card.js';
import { printPdf } from './print.js';
import { sizeText } from './size.js';
import { say, sayError } from '../../../languages/page.js';

/** As many as the service announces to viewers who join late. */
const KEPT = 100;

const SHOWN_MS = 15_000;

const PDF = /\.pdf$/i;

export interface DownloadsHandlers {
  /** Is called with their number. */
  changed(count: number): void;
  /** Whether the list is shown. */
  shown(isShown: boolean): void;
  /** Is called with a sentence. */
  failed(message: string): void;
  /** Tells a sentence to those who hear the page. */
  announce(sentence: string): void;
  /** Lets what has opened the list take the focus again. */
  showOpener(): void;
}

/** Offers the files downloaded in the session, newest first. */
export class Downloads {
  readonly element: HTMLElement;
  readonly #session: CommonSession;
  readonly #handlers: DownloadsHandlers;
  readonly #list = element('ul');
  readonly #known = new Set<string>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** Gives the focus back to what had it before the list was opened; null: it has opened by itself. */
  #goBack: (() => void) | null = null;

  constructor(session: CommonSession, handlers: DownloadsHandlers) {
    this.#session = session;
    this.#handlers = handlers;
    this.element = card(say('downloads'), say('hideDownloads'), () => this.#hide(), this.#list);
    this.element.classList.add('downloads');
    this.element.hidden = true;
  }

  /** A file is offered. The service repeats it on each connection. */
  add(download: Download): void {
    if (this.#known.has(download.id)) return;
    this.#known.add(download.id);
    this.#list.prepend(this.#entry(download));
    while (this.#list.children.length > KEPT) this.#list.lastElementChild?.remove();
    this.#handlers.changed(this.#list.children.length);
    this.#handlers.announce(say('labelled', { label: say('downloads'), name: download.name }));
    this.show();
  }

  /** Shows the list for a while. */
  show(): void {
    this.element.hidden = false;
    this.#handlers.shown(true);
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#hideUnlessUsed(), SHOWN_MS);
  }

  /** @param movesFocus whether the list takes the keyboard's focus when it is shown */
  toggle(movesFocus: boolean): void {
    if (!this.element.hidden) return this.#hide();
    this.show();
    if (!movesFocus) return;
    this.#goBack = rememberFocus(this.#session);
    this.#list.querySelector<HTMLElement>('a, button')?.focus();
  }

  /** Forgets everything: the viewer may no longer have files. */
  clear(): void {
    this.#known.clear();
    this.#list.replaceChildren();
    this.#handlers.changed(0);
    this.#hide();
  }

  #entry({ id, name, size }: Download): HTMLElement {
    const save = element('a', {
      className: 'save',
      textContent: say('save'),
      download: name,
      href: this.#session.files.downloadUrl(id),
    });
    // The address is valid for one connection; this may be a later one.
    save.addEventListener('click', () => (save.href = this.#session.files.downloadUrl(id)));
    save.setAttribute('aria-label', say('saveFile', { name }));
    const title = element('span', { className: 'name', dir: 'auto', textContent: name, title: name });
    const offers = element('span', { className: 'offers' }, save);
    if (PDF.test(name)) offers.prepend(this.#printing(id, name));
    const amount = element('span', { className: 'soft', dir: 'auto', textContent: sizeText(size) });
    return element('li', {}, title, amount, offers);
  }

  /** What pages print in the session is a PDF, which the user's own browser can print on paper. */
  #printing(id: string, name: string): HTMLElement {
    const print = element('button', { type: 'button', className: 'print', textContent: say('print') });
    print.setAttribute('aria-label', say('printFile', { name }));
    print.onclick = () =>
      void printPdf(this.#session.files.downloadUrl(id)).catch((error: unknown) =>
        this.#handlers.failed(sayError(error)),
      );
    return print;
  }

  #hide(): void {
    clearTimeout(this.#timer);
    const hadFocus = this.element.contains(document.activeElement);
    this.element.hidden = true;
    this.#handlers.shown(false);
    const goBack = this.#goBack ?? (() => this.#session.focus());
    this.#goBack = null;
    if (!hadFocus) return;
    this.#handlers.showOpener();
    goBack();
  }

  #hideUnlessUsed(): void {
    if (this.element.matches(':hover, :focus-within')) this.show();
    else this.#hide();
  }
}

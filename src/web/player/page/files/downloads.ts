import { element } from '../../../lib/dom.js';
import type { CommonSession, Download } from '../../../sdk/index.js';
import { card } from './card.js';
import { printPdf } from './print.js';
import { sizeText } from './size.js';
import { say, sayError } from '../../../languages/page.js';

/** As many as the service announces to viewers who join late. */
const KEPT = 100;

const SHOWN_MS = 15_000;

const PDF = /\.pdf$/i;

/** Offers the files downloaded in the session, newest first. */
export class Downloads {
  readonly element: HTMLElement;
  readonly #session: CommonSession;
  readonly #changed: (count: number) => void;
  readonly #failed: (message: string) => void;
  readonly #list = element('ul');
  readonly #known = new Set<string>();
  #timer: ReturnType<typeof setTimeout> | undefined;

  /**
   * @param changed is called with their number
   * @param failed is called with a sentence
   */
  constructor(session: CommonSession, changed: (count: number) => void, failed: (message: string) => void) {
    this.#session = session;
    this.#changed = changed;
    this.#failed = failed;
    this.element = card(say('downloads'), say('hideDownloads'), () => this.#hide(), this.#list);
    this.element.classList.add('downloads');
    this.element.setAttribute('aria-live', 'polite');
    this.element.hidden = true;
  }

  /** A file is offered. The service repeats it on each connection. */
  add(download: Download): void {
    if (this.#known.has(download.id)) return;
    this.#known.add(download.id);
    this.#list.prepend(this.#entry(download));
    while (this.#list.children.length > KEPT) this.#list.lastElementChild?.remove();
    this.#changed(this.#list.children.length);
    this.show();
  }

  /** Shows the list for a while. */
  show(): void {
    this.element.hidden = false;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#hideUnlessUsed(), SHOWN_MS);
  }

  toggle(): void {
    if (this.element.hidden) this.show();
    else this.#hide();
  }

  /** Forgets everything: the viewer may no longer have files. */
  clear(): void {
    this.#known.clear();
    this.#list.replaceChildren();
    this.#changed(0);
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
    const actions = PDF.test(name) ? [this.#printing(id, name), save] : [save];
    return element('li', {}, title, element('span', { className: 'soft', textContent: sizeText(size) }), ...actions);
  }

  /** What pages print in the session is a PDF, which the user's own browser can print on paper. */
  #printing(id: string, name: string): HTMLElement {
    const print = element('button', { type: 'button', className: 'print', textContent: say('print') });
    print.setAttribute('aria-label', say('printFile', { name }));
    print.onclick = () =>
      void printPdf(this.#session.files.downloadUrl(id)).catch((error: unknown) => this.#failed(sayError(error)));
    return print;
  }

  #hide(): void {
    clearTimeout(this.#timer);
    if (this.element.contains(document.activeElement)) this.#session.focus();
    this.element.hidden = true;
  }

  #hideUnlessUsed(): void {
    if (this.element.matches(':hover, :focus-within')) this.show();
    else this.#hide();
  }
}

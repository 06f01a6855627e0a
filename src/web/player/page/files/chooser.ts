import { element } from '../../../lib/dom.js';
import type { CommonSession, FileChooser } from '../../../sdk/index.js';
import { discard } from '../focus.js';
import { card } from './card.js';
import { chosenFolder, type Item } from './folder.js';
import type { Transfers } from './transfer.js';
import { say } from '../../../languages/page.js';

/** What the page asks for, and what the button is called. */
const SENTENCES = {
  file: ['askedForFile', 'chooseFile'],
  files: ['askedForFiles', 'chooseFiles'],
  folder: ['askedForFolder', 'chooseFolder'],
} as const;

/** Asks the user for files when a page in the session does: browsers require a click for their own dialog. */
export class Chooser {
  readonly #session: CommonSession;
  readonly #transfers: Transfers;
  readonly #show: (card: HTMLElement) => void;
  #card: HTMLElement | null = null;

  constructor(session: CommonSession, transfers: Transfers, show: (card: HTMLElement) => void) {
    this.#session = session;
    this.#transfers = transfers;
    this.#show = show;
  }

  /** Asks for files, or a folder. */
  open({ multiple, directory, accept }: FileChooser): void {
    this.close();
    const [asked, choice] = SENTENCES[directory ? 'folder' : multiple ? 'files' : 'file'];
    const title = say(asked);
    const input = element('input', { type: 'file', multiple, webkitdirectory: directory, accept, hidden: true });
    const choose = element('button', { type: 'button', className: 'primary', textContent: say(choice) });
    const cancel = element('button', { type: 'button', textContent: say('cancel'), onclick: () => this.#cancel() });
    choose.onclick = () => input.click();
    input.onchange = () => {
      const files = [...(input.files ?? [])];
      void this.#send(directory ? [chosenFolder(files) ?? []].flat() : files);
    };
    const actions = element('div', { className: 'actions' }, choose, cancel);
    this.#card = card(title, say('cancel'), () => this.#cancel(), actions, input);
    this.#card.setAttribute('role', 'dialog');
    this.#card.setAttribute('aria-label', title);
    this.#show(this.#card);
    // As the browser's own dialog would; a user who is busy elsewhere is not interrupted.
    if (this.#session.isFocused) choose.focus();
  }

  /** Removes the card; the chooser stays open. */
  close(): void {
    if (this.#card !== null) discard(this.#card);
    this.#card = null;
  }

  /** Returns the keyboard focus to the session. */
  #leave(): void {
    if (this.#card?.contains(document.activeElement)) this.#session.focus();
  }

  async #send(items: readonly Item[]): Promise<void> {
    if (items.length === 0) return;
    const shown = this.#card;
    this.#leave();
    if (shown !== null) shown.hidden = true;
    const sent = await this.#transfers.send(items, ids => this.#session.files.choose(ids));
    // The page still waits: the user can try again.
    if (!sent && shown !== null) shown.hidden = false;
  }

  #cancel(): void {
    this.close();
    // Another viewer may have answered it at the same moment.
    this.#session.files.cancel().catch(() => undefined);
  }
}

import { element } from '../../../lib/dom.js';
import type { Access, CommonSession, Download, FileChooser } from '../../../sdk/index.js';
import type { Bar } from '../bar.js';
import { isByKeyboard } from '../focus.js';
import { ICONS } from '../icons.js';
import { Chooser } from './chooser.js';
import { Downloads } from './downloads.js';
import { DropZone } from './drop-zone.js';
import type { Item } from './folder.js';
import { Transfers } from './transfer.js';
import { say, sayError } from '../../../languages/page.js';

/** The player's file features: drops, file choosers, and downloads. */
export class FilesCorner {
  readonly element = element('div', { className: 'files' });
  readonly zone: HTMLElement;
  readonly #chooser: Chooser;
  readonly #downloads: Downloads;
  #mayUpload = false;

  /**
   * @param tell tells the viewer a sentence
   * @param announce tells those who hear the page what others see on the cards
   */
  constructor(
    session: CommonSession,
    bar: Bar,
    tell: (sentence: string) => void,
    announce: (sentence: string) => void,
  ) {
    const show = (card: HTMLElement) => this.element.append(card);
    const transfers = new Transfers(session.files, show, announce);
    const button = bar.add(say('downloads'), ICONS.downloads, event => this.#downloads.toggle(isByKeyboard(event)));
    button.hidden = true;
    button.setAttribute('aria-expanded', 'false');
    this.#chooser = new Chooser(session, transfers, show);
    this.#downloads = new Downloads(session, {
      changed: count => (button.hidden = count === 0),
      failed: message => transfers.problem(message),
      shown: isShown => button.setAttribute('aria-expanded', String(isShown)),
      announce,
      showOpener: () => bar.show(),
    });
    const dropped = (items: Promise<Item[]>, x: number, y: number) =>
      void items.then(
        items => items.length > 0 && transfers.send(items, ids => session.files.drop(ids, x, y)),
        (error: unknown) => transfers.problem(sayError(error)),
      );
    this.zone = new DropZone({ session, allowed: () => this.#mayUpload, dropped, tell }).element;
    this.element.append(this.#downloads.element);
  }

  /** The viewer's permissions have changed. */
  allow({ admin, roles, control }: Access): void {
    this.#mayUpload = control && (admin || roles.includes('file_upload'));
    if (!this.#mayUpload) this.#chooser.close();
    if (!admin && !roles.includes('file_download')) this.#downloads.clear();
  }

  /** A file was downloaded in the session. */
  addDownload(download: Download): void {
    this.#downloads.add(download);
  }

  /** A page in the session asks for files; null: it no longer does. */
  showChooser(chooser: FileChooser | null): void {
    if (chooser === null) this.#chooser.close();
    else this.#chooser.open(chooser);
  }
}

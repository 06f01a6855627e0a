import { element } from '../../../lib/dom.js';
import type { SessionFiles } from '../../../sdk/index.js';
import { discard } from '../focus.js';
import { card } from './card.js';
import { isFolder, sizeOf, type Item } from './folder.js';
import { filesText, sizeText } from './size.js';
import { say, sayError } from '../../../languages/page.js';

/** Maximum number of files and folders per transfer. */
const FILES_MAX = 100;

const PROBLEM_SHOWN_MS = 15_000;

/** Uploads files and folders to the session, showing the progress on a card. */
export class Transfers {
  readonly #files: SessionFiles;
  readonly #show: (card: HTMLElement) => void;
  readonly #announce: (sentence: string) => void;

  /** @param announce tells what is shown to those who hear the page */
  constructor(files: SessionFiles, show: (card: HTMLElement) => void, announce: (sentence: string) => void) {
    this.#files = files;
    this.#show = show;
    this.#announce = announce;
  }

  /** Uploads them, then calls `use` with their IDs. Resolves with whether that succeeded and was not cancelled. */
  async send(items: readonly Item[], use: (ids: string[]) => Promise<void>): Promise<boolean> {
    const aborting = new AbortController();
    const progress = element('progress', { max: 1, value: 0 });
    const title = say('sending', { name: filesText(items) });
    progress.setAttribute('aria-label', title);
    const amount = element('p', { className: 'soft' });
    const box = card(title, say('cancel'), () => aborting.abort(), progress, amount);
    this.#show(box);
    this.#announce(title);
    try {
      if (items.length > FILES_MAX) throw new Error(say('tooManyFiles', { count: FILES_MAX }));
      const ids = await this.#upload(items, aborting.signal, (sent, total) => {
        progress.value = total === 0 ? 1 : sent / total;
        amount.textContent = say('sentOf', { sent: sizeText(sent), total: sizeText(total) });
      });
      await use(ids);
      this.#announce(say('hasSent', { name: filesText(items) }));
      return true;
    } catch (error) {
      if (!aborting.signal.aborted) this.problem(sayError(error));
      return false;
    } finally {
      discard(box);
    }
  }

  /** Shows an error for a while. */
  problem(message: string): void {
    const timer = setTimeout(() => discard(box), PROBLEM_SHOWN_MS);
    const box = card(message, say('closeMessage'), () => (clearTimeout(timer), discard(box)));
    box.setAttribute('role', 'alert');
    this.#show(box);
  }

  async #upload(
    items: readonly Item[],
    signal: AbortSignal,
    report: (sent: number, total: number) => void,
  ): Promise<string[]> {
    const total = items.reduce((sum, item) => sum + sizeOf(item), 0);
    const ids: string[] = [];
    let before = 0;
    for (const item of items) {
      const size = sizeOf(item);
      const progress = (sent: number) => report(before + Math.min(sent, size), total);
      progress(0);
      const options = { signal, progress };
      const sent = isFolder(item)
        ? this.#files.uploadFolder(item.name, item.files, options)
        : this.#files.upload(item, options);
      ids.push(await sent);
      before += size;
    }
    return ids;
  }
}

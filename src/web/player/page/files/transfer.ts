import { element } from '../../../lib/dom.js';
import type { Files } from '../../../sdk/files.js';
import { card } from './card.js';
import { filesText, sizeText } from './size.js';

/** So many files may be handed over at once. */
const FILES_MAX = 100;

const PROBLEM_SHOWN_MS = 15_000;

/** Sends files into the session, with a card that shows how far it is. */
export class Transfers {
  readonly #files: Files;
  readonly #show: (card: HTMLElement) => void;

  constructor(files: Files, show: (card: HTMLElement) => void) {
    this.#files = files;
    this.#show = show;
  }

  /** Sends files, then has `use` do something with their IDs. Resolves when that is done, or was given up; false then. */
  async send(files: readonly File[], use: (ids: string[]) => Promise<void>): Promise<boolean> {
    const aborting = new AbortController();
    const progress = element('progress', { max: 1, value: 0 });
    progress.setAttribute('aria-label', `Sending ${filesText(files)}`);
    const words = element('p', { className: 'soft' });
    const box = card(`Sending ${filesText(files)}`, 'Cancel', () => aborting.abort(), progress, words);
    this.#show(box);
    try {
      if (files.length > FILES_MAX) throw new Error(`At most ${FILES_MAX} files can be sent at once.`);
      const ids = await this.#upload(files, aborting.signal, (sent, total) => {
        progress.value = total === 0 ? 1 : sent / total;
        words.textContent = `${sizeText(sent)} of ${sizeText(total)}`;
      });
      await use(ids);
      return true;
    } catch (error) {
      if (!aborting.signal.aborted) this.problem((error as Error).message);
      return false;
    } finally {
      box.remove();
    }
  }

  /** Says for a while what went wrong. */
  problem(message: string): void {
    const timer = setTimeout(() => box.remove(), PROBLEM_SHOWN_MS);
    const box = card(message, 'Close this note', () => (clearTimeout(timer), box.remove()));
    box.setAttribute('role', 'alert');
    this.#show(box);
  }

  async #upload(
    files: readonly File[],
    signal: AbortSignal,
    tell: (sent: number, total: number) => void,
  ): Promise<string[]> {
    const total = files.reduce((sum, { size }) => sum + size, 0);
    const ids: string[] = [];
    let before = 0;
    for (const file of files) {
      const progress = (sent: number) => tell(before + Math.min(sent, file.size), total);
      progress(0);
      ids.push(await this.#files.upload(file, { signal, progress }));
      before += file.size;
    }
    return ids;
  }
}

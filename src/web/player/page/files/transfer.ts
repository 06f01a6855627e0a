import { element } from '../../../lib/dom.js';
import type { SessionFiles } from '../../../sdk/index.js';
import { card } from './card.js';
import { filesText, sizeText } from './size.js';

/** Maximum number of files per transfer. */
const FILES_MAX = 100;

const PROBLEM_SHOWN_MS = 15_000;

/** Uploads files to the session, showing the progress on a card. */
export class Transfers {
  readonly #files: SessionFiles;
  readonly #show: (card: HTMLElement) => void;

  constructor(files: SessionFiles, show: (card: HTMLElement) => void) {
    this.#files = files;
    this.#show = show;
  }

  /** Uploads files, then calls `use` with their IDs. Resolves with whether that succeeded and was not cancelled. */
  async send(files: readonly File[], use: (ids: string[]) => Promise<void>): Promise<boolean> {
    const aborting = new AbortController();
    const progress = element('progress', { max: 1, value: 0 });
    progress.setAttribute('aria-label', `Sending ${filesText(files)}`);
    const amount = element('p', { className: 'soft' });
    const box = card(`Sending ${filesText(files)}`, 'Cancel', () => aborting.abort(), progress, amount);
    this.#show(box);
    try {
      if (files.length > FILES_MAX) throw new Error(`At most ${FILES_MAX} files can be sent at once.`);
      const ids = await this.#upload(files, aborting.signal, (sent, total) => {
        progress.value = total === 0 ? 1 : sent / total;
        amount.textContent = `${sizeText(sent)} of ${sizeText(total)}`;
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

  /** Shows an error for a while. */
  problem(message: string): void {
    const timer = setTimeout(() => box.remove(), PROBLEM_SHOWN_MS);
    const box = card(message, 'Close this message', () => (clearTimeout(timer), box.remove()));
    box.setAttribute('role', 'alert');
    this.#show(box);
  }

  async #upload(
    files: readonly File[],
    signal: AbortSignal,
    report: (sent: number, total: number) => void,
  ): Promise<string[]> {
    const total = files.reduce((sum, { size }) => sum + size, 0);
    const ids: string[] = [];
    let before = 0;
    for (const file of files) {
      const progress = (sent: number) => report(before + Math.min(sent, file.size), total);
      progress(0);
      ids.push(await this.#files.upload(file, { signal, progress }));
      before += file.size;
    }
    return ids;
  }
}

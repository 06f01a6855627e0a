import type { Clipboard as Copy } from '../../../protocol/generated/schemas.js';
import type { Sentence } from '../../languages/texts.js';
import type { View } from '../view/view.js';

/** How long the copy button stays, in milliseconds. */
const OFFER_MS = 10_000;

export interface CopiedOptions {
  readonly view: View;
  /** Fetches the picture that was copied under this number. */
  picture(id: number): Promise<Blob>;
  /** Tells the viewer a sentence. */
  tell(sentence: Sentence): void;
  /** It is on the viewer's clipboard. */
  written(content: { text: string; html: string }): void;
}

/** Puts what is copied in the session on the viewer's clipboard, with a click if the browser requires one. */
export class CopiedContent {
  readonly #options: CopiedOptions;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** What is to be on the clipboard: later copies replace earlier ones that are still on their way. */
  #newest: Copy | undefined;

  constructor(options: CopiedOptions) {
    this.#options = options;
  }

  async copied(copy: Copy): Promise<void> {
    this.#newest = copy;
    const { view, tell } = this.#options;
    if (await this.#write(copy)) return;
    if (this.#newest !== copy) return;
    if (copy.picture !== undefined && !canWrite()) return tell(({ say }) => say('pictureNeedsHttps'));
    clearTimeout(this.#timer);
    view.askToCopy(() => void this.#write(copy).then(() => this.stop()));
    this.#timer = setTimeout(() => this.stop(), OFFER_MS);
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#options.view.askToCopy(null);
  }

  async #write(copy: Copy): Promise<boolean> {
    const { text, html = '' } = copy;
    const isWritten = (await this.#writeItem(copy)) || (copy.picture === undefined && copyByCommand(text, html));
    if (isWritten && this.#newest === copy) this.#options.written({ text, html });
    return isWritten;
  }

  async #writeItem({ text, html = '', picture }: Copy): Promise<boolean> {
    if (!canWrite()) return false;
    try {
      if (html === '' && picture === undefined) await navigator.clipboard.writeText(text);
      else {
        // Promises: Safari only writes what was begun in the click itself.
        const blob = (type: string, content: string) => Promise.resolve(new Blob([content], { type }));
        const item = new ClipboardItem({
          ...(text === '' ? {} : { 'text/plain': blob('text/plain', text) }),
          ...(html === '' ? {} : { 'text/html': blob('text/html', html) }),
          ...(picture === undefined ? {} : { 'image/png': this.#options.picture(picture.id) }),
        });
        await navigator.clipboard.write([item]);
      }
      return true;
    } catch {
      // Without permission or focus: the old way may still work.
      return false;
    }
  }
}

/** On pages over plain HTTP the clipboard is missing, contrary to its type. */
const canWrite = () => 'clipboard' in navigator;

/** Also works on plain HTTP, shortly after a key press or click. */
function copyByCommand(text: string, html: string): boolean {
  let done = false;
  const fill = (event: ClipboardEvent) => {
    event.clipboardData?.setData('text/plain', text);
    if (html !== '') event.clipboardData?.setData('text/html', html);
    event.preventDefault();
    event.stopImmediatePropagation();
    done = true;
  };
  document.addEventListener('copy', fill, { capture: true });
  try {
    // eslint-disable-next-line @typescript-eslint/no-deprecated -- nothing else copies on pages without https
    return document.execCommand('copy') && done;
  } finally {
    document.removeEventListener('copy', fill, { capture: true });
  }
}

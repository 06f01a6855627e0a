import type { View } from '../view/view.js';

/** How long the copy button stays, in milliseconds. */
const OFFER_MS = 10_000;

/** Copies text from the session to the viewer's clipboard, with a click if the browser requires one. */
export class CopiedText {
  readonly #view: View;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(view: View) {
    this.#view = view;
  }

  async copied(text: string): Promise<void> {
    if (await write(text)) return;
    clearTimeout(this.#timer);
    this.#view.askToCopy(() => void write(text).then(() => this.stop()));
    this.#timer = setTimeout(() => this.stop(), OFFER_MS);
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#view.askToCopy(null);
  }
}

async function write(text: string): Promise<boolean> {
  try {
    // On pages over plain HTTP the clipboard is missing, contrary to its type.
    await (navigator.clipboard as Clipboard | undefined)?.writeText(text);
    if ('clipboard' in navigator) return true;
  } catch {
    // Without permission or focus: the old way may still work.
  }
  return copyByCommand(text);
}

/** Also works on plain HTTP, shortly after a key press or click. */
function copyByCommand(text: string): boolean {
  let done = false;
  const fill = (event: ClipboardEvent) => {
    event.clipboardData?.setData('text/plain', text);
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

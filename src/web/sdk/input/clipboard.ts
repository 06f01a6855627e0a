import type { View } from '../view/view.js';

/** How long the button that copies stays, in milliseconds. */
const OFFER_MS = 10_000;

/** Puts text that was copied in the session on the viewer's clipboard, by a click where the browser wants one. */
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
    // Pages on plain http have no clipboard, though its type says so.
    await (navigator.clipboard as Clipboard | undefined)?.writeText(text);
    if ('clipboard' in navigator) return true;
  } catch {
    // Without permission or focus: the old way may still work.
  }
  return copyByCommand(text);
}

/** Works on plain http too, while a key press or click is fresh. */
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

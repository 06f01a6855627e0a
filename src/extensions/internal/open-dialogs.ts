import type { Dialog, DialogAnswer } from '../../protocol/generated/schemas.js';
import type { DialogOutcome } from '../../protocol/extension.js';

/** Most dialogs, characters of their texts, and milliseconds between two reports of them (schemas/link.json). */
const DIALOGS_MAX = 10;
const [ORIGIN_MAX, MESSAGE_MAX, DEFAULT_MAX] = [300, 1000, 500];
const INTERVAL = 50;

/** What is known of a dialog when it opens. */
export interface DialogDetails extends Omit<Dialog, 'id' | 'origin'> {
  readonly url: string;
}

/** Answers a dialog: without an answer, it is dismissed. */
export type AnswerDialog = (answer: DialogAnswer | null) => Promise<DialogOutcome>;

interface OpenDialog {
  readonly dialog: Dialog;
  readonly answer: AnswerDialog;
}

/** The dialogs that are open, of each tab the newest. */
export class OpenDialogs {
  /** By tab. */
  readonly #open = new Map<number, OpenDialog>();
  readonly #changed: (dialogs: Dialog[]) => void;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** `changed` is called with the list after changes, at most every 50 ms. */
  constructor(changed: (dialogs: Dialog[]) => void) {
    this.#changed = changed;
    chrome.tabs.onRemoved.addListener(tabId => this.close(tabId));
  }

  /** A dialog has opened, in the place of any other of its tab. */
  open(details: DialogDetails, answer: AnswerDialog): void {
    const { url, ...rest } = details;
    const { tab_id: tabId, message, default_value: value } = rest;
    const dialog: Dialog = {
      ...rest,
      id: crypto.randomUUID(),
      origin: originOf(url),
      message: clean(message, MESSAGE_MAX),
      ...(value === undefined ? {} : { default_value: clean(value, DEFAULT_MAX) }),
    };
    this.#open.delete(tabId);
    this.#open.set(tabId, { dialog, answer });
    this.tell();
  }

  /** The dialog of a tab is closed, if it is of one of these types. */
  close(tabId: number, types?: readonly Dialog['type'][]): void {
    const type = this.#open.get(tabId)?.dialog.type;
    if (type === undefined || types?.includes(type) === false) return;
    this.#open.delete(tabId);
    this.tell();
  }

  /** Answers a dialog by its ID; without an answer, it is dismissed. */
  async answer(id: string, answer: DialogAnswer | null): Promise<DialogOutcome> {
    const open = [...this.#open.values()].find(({ dialog }) => dialog.id === id);
    if (open === undefined) return 'gone';
    const outcome = await open.answer(answer);
    const { tab_id: tabId, type } = open.dialog;
    // The next one of its page may be open already. Whether a page is gone on to shows later.
    const isClosed = outcome === 'gone' || type !== 'certificate';
    if (isClosed && this.#open.get(tabId) === open) this.close(tabId);
    return outcome;
  }

  /** Tells the dialogs that are open, soon. */
  tell(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#changed([...this.#open.values()].slice(0, DIALOGS_MAX).map(({ dialog }) => dialog));
    }, INTERVAL);
  }
}

function originOf(url: string): string {
  const origin = URL.parse(url)?.origin ?? 'null';
  return origin === 'null' ? '' : origin.slice(0, ORIGIN_MAX);
}

/** A text of a page without what makes it look like another: control characters but line breaks, and directions. */
function clean(text: string, max: number): string {
  const short = text.slice(0, 2 * max).replace(/\r\n?/g, '\n');
  return short
    .replace(/(?!\n)[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu, ' ')
    .slice(0, max)
    .replace(/\p{Surrogate}/gu, '\ufffd');
}

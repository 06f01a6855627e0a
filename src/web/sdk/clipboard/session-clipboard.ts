import { encodeContent } from '../../../protocol/clipboard.js';
import { ANDROID_CLIPBOARD_MAX_BYTES, CLIPBOARD_MAX_BYTES } from '../../../protocol/message-type.js';
import type { Welcome } from '../../../protocol/generated/schemas.js';
import { errorText } from '../../languages/error-text.js';
import type { Sentence } from '../../languages/texts.js';
import { encodeClipboard } from '../../../protocol/viewer-messages.js';
import { contentOfPaste, readClipboard, PasteRefusal, type ViewerContent } from './content.js';
import { pngOf } from './png.js';

/** How long a right click waits for the viewer's clipboard, ms: unnoticed, but longer than it usually takes. */
const READ_WAIT_MS = 150;

export interface SessionClipboardOptions {
  send(message: Uint8Array<ArrayBuffer>): void;
  /** Sends what is too large for messages. Rejects with a sentence. */
  upload(form: FormData, signal: AbortSignal): Promise<void>;
  /** Tells the viewer a sentence. */
  tell(sentence: Sentence): void;
}

/**
 * Brings the viewer's clipboard into the session before something pastes it. Nothing older than what the viewer means is
 * ever pasted: where its clipboard cannot be carried, the viewer is told, and what was copied in the session since is
 * left alone.
 */
export class SessionClipboard {
  /** Whether this viewer's input counts now. */
  hasControl = false;
  readonly #options: SessionClipboardOptions;
  #textMax = CLIPBOARD_MAX_BYTES;
  #takesContent = false;
  /** The viewer's clipboard when it was last known. */
  #known: string | null = null;
  /** Whether something was copied in the session since then. */
  #isSessionNewer = false;
  /** Whether the page has had the focus ever since. */
  #isSameStay = false;
  /** Whether the browser lets the page read the clipboard without asking; browsers that do not tell never do. */
  #permission: PermissionStatus | undefined;
  #transfer = new AbortController();

  constructor(options: SessionClipboardOptions) {
    this.#options = options;
    void permission().then(status => (this.#permission = status));
  }

  welcome({ kind, clipboard_content = false }: Pick<Welcome, 'kind' | 'clipboard_content'>): void {
    this.#textMax = kind === 'android' ? ANDROID_CLIPBOARD_MAX_BYTES : CLIPBOARD_MAX_BYTES;
    this.#takesContent = clipboard_content;
  }

  /** Something was copied in the session; `content`: what of it is on the viewer's clipboard now. */
  copied(content?: Pick<ViewerContent, 'text' | 'html'>): void {
    if (content !== undefined) this.#known = keyOf({ ...content, picture: null });
    this.#isSessionNewer = true;
    this.#isSameStay = document.hasFocus();
  }

  /** The viewer's clipboard may have changed. */
  left(): void {
    this.#isSameStay = false;
  }

  /**
   * Sets the session's clipboard to what a paste event brings. Returns whether the session may paste: at once, when all
   * is there, or not at all.
   */
  paste(data: DataTransfer): boolean | Promise<boolean> {
    try {
      const content = contentOfPaste(data);
      if (content !== null) return this.#bring(content);
      // Nothing of before is to be pasted in its place, unless the browser has never shown anything.
      if (!this.#isSessionNewer && this.#known !== null) this.#options.send(encodeClipboard(''));
      return true;
    } catch (error) {
      return this.#refused(error);
    }
  }

  /** Reads the viewer's clipboard and sets the session's; the browser may ask. Returns whether the session may paste. */
  async pasteRead(): Promise<boolean> {
    try {
      const content = await readClipboard();
      if (content === null) throw new PasteRefusal(({ say }) => say('clipboardEmpty'));
      return await this.#bring(content);
    } catch (error) {
      return this.#refused(error);
    }
  }

  /** Sets the session's clipboard to text. Returns whether it could. */
  set(text: string): boolean {
    try {
      return this.#set({ text, html: '', picture: null }) === true;
    } catch (error) {
      return this.#refused(error);
    }
  }

  /**
   * Brings the viewer's clipboard, if the browser allows that without asking. Resolves when a menu that pastes may open;
   * undefined if it may at once.
   */
  beforeMenu(): Promise<void> | undefined {
    if (this.#permission?.state !== 'granted' || !this.hasControl || !document.hasFocus()) return undefined;
    const brought = readClipboard()
      .then(content => {
        const isKnown = content === null || (keyOf(content) === this.#known && content.picture !== null);
        if (!isKnown) return void this.#bring(content);
      })
      // Who only opens a menu is not told.
      .catch(() => undefined);
    const late = new Promise<void>(resolve => setTimeout(resolve, READ_WAIT_MS));
    return Promise.race([brought, late]);
  }

  stop(): void {
    this.#transfer.abort();
  }

  /** @throws PasteRefusal */
  #bring(content: ViewerContent): boolean | Promise<boolean> {
    const key = keyOf(content);
    if (this.#isSessionNewer && (key === this.#known || (this.#known === null && this.#isSameStay))) return true;
    const isSet = this.#set(content);
    this.#known = key;
    this.#isSessionNewer = false;
    return isSet;
  }

  /** @throws PasteRefusal */
  #set(content: ViewerContent): boolean | Promise<boolean> {
    this.#transfer.abort();
    const { text, html, picture } = this.#takesContent ? content : { ...content, html: '', picture: null };
    if (text === '' && html === '' && picture === null && (content.html !== '' || content.picture !== null))
      throw new PasteRefusal(({ say }) => say('clipboardTextOnly'));
    const encoder = new TextEncoder();
    const [textBytes, htmlBytes] = [encoder.encode(text).length, encoder.encode(html).length];
    if (textBytes > this.#textMax) throw tooLong('textTooLong', this.#textMax);
    // Its plain text is better than nothing.
    if (htmlBytes > CLIPBOARD_MAX_BYTES) {
      if (text === '' && picture === null) throw tooLong('formattedTextTooLong', CLIPBOARD_MAX_BYTES);
      return this.#set({ ...content, html: '' });
    }
    const isSmall = picture === null && textBytes + htmlBytes <= CLIPBOARD_MAX_BYTES;
    if (!isSmall) return this.#upload({ text, html, picture });
    const isPlain = html === '';
    this.#options.send(isPlain ? encodeClipboard(text) : encodeContent({ text, html, picture: new Uint8Array() }));
    return true;
  }

  async #upload({ text, html, picture }: ViewerContent): Promise<boolean> {
    const transfer = (this.#transfer = new AbortController());
    try {
      const png = picture === null ? null : await pngOf(picture);
      const size = new Blob([text, html, png ?? '']).size;
      if (transfer.signal.aborted) return false;
      if (size <= CLIPBOARD_MAX_BYTES) {
        this.#options.send(encodeContent({ text, html, picture: png ?? new Uint8Array() }));
        return true;
      }
      const form = new FormData();
      if (text !== '') form.set('text', text);
      if (html !== '') form.set('html', html);
      if (png !== null) form.set('png', new Blob([png], { type: 'image/png' }), 'picture.png');
      await this.#options.upload(form, transfer.signal);
      return !transfer.signal.aborted;
    } catch (error) {
      return !transfer.signal.aborted && this.#refused(error);
    }
  }

  #refused(error: unknown): false {
    // What was copied before is older than this.
    this.#known = '';
    this.#isSessionNewer = false;
    this.#options.tell(sentenceOf(error));
    return false;
  }
}

const tooLong = (key: 'textTooLong' | 'formattedTextTooLong', bytes: number) =>
  new PasteRefusal(({ say }) =>
    say(key, { size: bytes === CLIPBOARD_MAX_BYTES ? '1 MiB' : say('bytes', { count: bytes }) }),
  );

const sentenceOf = (error: unknown): Sentence =>
  error instanceof PasteRefusal ? error.sentence : texts => errorText(error, texts);

/** By which a content is known again: browsers change HTML and pictures that pages put on the clipboard. */
const keyOf = ({ text, html, picture }: ViewerContent) => text || html || `picture of ${picture?.size ?? 0} bytes`;

/** Undefined in browsers that have no such permission, and ask each time. */
async function permission(): Promise<PermissionStatus | undefined> {
  try {
    return await navigator.permissions.query({ name: 'clipboard-read' as PermissionName });
  } catch {
    return undefined;
  }
}

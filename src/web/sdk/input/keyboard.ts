import { TEXT_MAX_BYTES } from '../../../protocol/message-type.js';
import { delegateTo, isDelegate, undelegate, used } from './delegation.js';
import { listenUntil } from '../../lib/dom.js';
import { moveOn } from '../../lib/move-on.js';
import type { InputSink } from './input-sink.js';
import { KeyTranslator, platformOf, type KeyInput } from './key-translator.js';
import { keysymOf } from '../../controls/keysyms.js';
import { isPasteShortcut, PasteOrder, pressPaste } from './paste.js';
import { splitText } from './text-diff.js';
import { TextInput } from './text-input.js';
import type { View } from '../view/view.js';
import { WayOut } from './way-out.js';

/** A Ctrl delayed for AltGr is sent after this time. */
const CONTROL_WAIT_MS = 60;
/** Elements of the embedding page that need keys themselves. */
const OWN_KEYS =
  'input, textarea, select, button, a[href], summary, dialog, [contenteditable=""], [contenteditable="true"]';

/** Sends what is typed: keys as keysyms, output of input methods and phone keyboards as text. */
export class Keyboard {
  readonly #view: View;
  readonly #sink: InputSink;
  // eslint-disable-next-line @typescript-eslint/no-deprecated -- what is to replace it is in some browsers only
  readonly #platform = platformOf(navigator.platform);
  readonly #translator = new KeyTranslator(this.#platform);
  readonly #paste: PasteOrder;
  readonly #text: TextInput;
  readonly #wayOut = new WayOut();
  readonly #moveOn: () => void;
  readonly #listening = new AbortController();
  #controlTimer: ReturnType<typeof setTimeout> | undefined;
  /** The viewer has left by the keyboard: until it comes back, or uses a pointer, keys are the page's. */
  #isLeft = false;

  /**
   * @param sink receives what is typed and pasted
   * @param delegate whether keys pressed anywhere on the page go to the session
   * @param left moves the focus on when the viewer leaves by the keyboard; by default to what comes next on the page
   */
  constructor(view: View, sink: InputSink, delegate: boolean, left?: () => void) {
    this.#view = view;
    this.#moveOn = left ?? (() => moveOn(view.keys));
    this.#sink = sink;
    if (delegate) delegateTo(this);
    this.#paste = new PasteOrder(() => pressPaste(sink));
    this.#text = new TextInput(view.keys, change => {
      for (let i = 0; i < change.erased; i++) this.#tap('Backspace');
      this.type(change.typed);
    });
    const listen = listenUntil(this.#listening.signal);
    listen<KeyboardEvent>(window, 'keydown', event => this.#down(event), { capture: true });
    listen<KeyboardEvent>(window, 'keyup', event => this.#up(event), { capture: true });
    listen<ClipboardEvent>(window, 'paste', event => this.#pasted(event), { capture: true });
    listen(window, 'blur', () => this.release());
    listen(document, 'visibilitychange', () => document.hidden && this.release());
    listen(view.keys, 'focus', () => this.#came());
    listen(window, 'pointerdown', () => this.#pointed(), { capture: true });
    listen(view.keys, 'blur', () => !isDelegate(this) && this.release());
  }

  /** Whether keys pressed anywhere on the page go to the session. */
  set delegates(delegates: boolean) {
    undelegate(this);
    if (delegates) delegateTo(this);
    else if (!this.#view.focused) this.release();
  }

  /** Sends typed text; line breaks are sent as Enter. */
  type(text: string): void {
    for (const [i, line] of text.split(/\r\n|\r|\n/).entries()) {
      if (i > 0) this.#tap('Enter');
      for (const piece of splitText(line, TEXT_MAX_BYTES)) this.#sink.send({ type: 'text', text: piece });
    }
  }

  /** Releases everything held in the session. */
  release(): void {
    clearTimeout(this.#controlTimer);
    this.#paste.cancel();
    if (this.#translator.holding) this.#sink.send({ type: 'release' });
    this.#translator.reset();
  }

  stop(): void {
    this.release();
    undelegate(this);
    this.#listening.abort();
    this.#text.stop();
  }

  #came(): void {
    this.#isLeft = false;
    used(this);
  }

  #pointed(): void {
    this.#isLeft = false;
    this.#wayOut.close();
    this.#view.mark.pointed();
  }

  #leave(): void {
    this.#isLeft = true;
    this.release();
    this.#view.keys.blur();
    this.#moveOn();
  }

  #down(event: KeyboardEvent): void {
    this.#view.mark.keyed();
    if (!this.#ours(event)) return;
    this.#wayOut.down(event);
    if (event.key === 'Tab') this.#view.mark.tell();
    if (!this.#view.focused) this.#view.focus();
    // eslint-disable-next-line @typescript-eslint/no-deprecated -- 229 alone tells that an input method has the key
    if (event.isComposing || event.keyCode === 229 || event.key === 'Dead' || event.key === 'Unidentified') {
      this.#send(this.#translator.flush());
      return;
    }
    const events = this.#translator.down(inputOf(event));
    if (isPasteShortcut(event, this.#platform)) {
      // The browser delivers its clipboard right after this event; only then may the session paste.
      const first = events.findIndex(({ keysym }) => !isModifier(keysym));
      this.#send(events.slice(0, first));
      this.#paste.expect(() => this.#send(events.slice(first)));
      return;
    }
    event.preventDefault();
    event.stopPropagation();
    this.#send(events);
    clearTimeout(this.#controlTimer);
    this.#controlTimer = setTimeout(() => this.#send(this.#translator.flush()), CONTROL_WAIT_MS);
  }

  #up(event: KeyboardEvent): void {
    if (!this.#translator.holding && !this.#ours(event)) return;
    if (this.#wayOut.up(event)) return this.#leave();
    this.#paste.flush();
    this.#send(this.#translator.up(event));
  }

  #pasted(event: ClipboardEvent): void {
    if (!this.#view.focused) return;
    event.preventDefault();
    event.stopPropagation();
    if (event.clipboardData !== null) this.#paste.pasted(this.#sink.paste(event.clipboardData));
  }

  #send(events: ReturnType<KeyTranslator['down']>): void {
    for (const event of events) this.#sink.send(event);
  }

  #tap(key: string): void {
    const keysym = keysymOf(key, 0);
    if (keysym === null) return;
    this.#sink.send({ type: 'key', down: true, keysym });
    this.#sink.send({ type: 'key', down: false, keysym });
  }

  #ours(event: Event): boolean {
    if (!event.isTrusted) return false;
    // Inside a closed shadow root only the host is visible as the target.
    if (this.#view.focused) return true;
    if (this.#isLeft || !isDelegate(this)) return false;
    const target = event.composedPath()[0];
    const owner = target instanceof Element ? target.closest(OWN_KEYS) : null;
    return owner === null || this.#view.isIn(owner);
  }
}

const isModifier = (keysym: number) => keysym >= 0xffe1 && keysym <= 0xffee;

const inputOf = (event: KeyboardEvent): KeyInput => ({
  key: event.key,
  code: event.code,
  location: event.location,
  ctrlKey: event.ctrlKey,
  shiftKey: event.shiftKey,
  altKey: event.altKey,
  metaKey: event.metaKey,
  altGraphKey: event.getModifierState('AltGraph'),
  timeStamp: event.timeStamp,
});

import { CursorLayer } from './cursor-layer.js';
import { ENGLISH_TEXTS, type Sentence, type Texts } from '../../languages/texts.js';
import { element, icon } from '../../lib/dom.js';
import { displayPoint, type Point, type Rect, type Size } from '../../lib/geometry.js';
import { FocusMark } from './focus-mark.js';
import { PictureFrame } from './picture-frame.js';
import { ScreenKeyboard } from './screen-keyboard.js';
import { VIEW_STYLES } from './styles.js';

const SOUND_ICON = 'M3 9v6h4l5 5V4L7 9H3zm13.5 3A4.5 4.5 0 0 0 14 8v8a4.5 4.5 0 0 0 2.5-4z';
const COPY_ICON =
  'M16 1H4a2 2 0 0 0-2 2v14h2V3h12V1zm3 4H8a2 2 0 0 0-2 2v14c0 1.1.9 2 2 2h11a2 2 0 0 0 2-2V7a2 2 0 0 0-2-2zm0 16H8V7h11v14z';

/**
 * The status text over the video, if any. `busy` shows a spinner, `over` hides the video, `private` in any case.
 */
export type StatusText = { sentence: Sentence; look: 'busy' | 'over' | 'private' } | null;

/** The part of the page that belongs to a session: a shadow root with the video and its overlays. */
export class View {
  readonly stage = element('div', { className: 'stage' });
  /** Receives the keyboard focus; input methods and phone keyboards need a real text element. */
  readonly keys = element('textarea', {
    className: 'keys',
    dir: 'auto',
    autocapitalize: 'off',
    autocomplete: 'off',
    spellcheck: false,
  });
  /** The other viewers' pointers. */
  readonly cursors = new CursorLayer();
  /** Where the keyboard is, and how it leaves. */
  readonly mark: FocusMark;
  /** Whether no sentence covers a picture that is there and may be seen. */
  persists = false;
  readonly #frame = new PictureFrame(this.stage, this.cursors.element);
  readonly #keyboard = new ScreenKeyboard(() => this.#makeRoom());
  readonly #host: HTMLElement;
  readonly #root: ShadowRoot;
  readonly #held = element('div', { className: 'held', hidden: true });
  readonly #status = element('div', { className: 'status' });
  readonly #statusText = element('p');
  /** What is heard of the status where it is not seen. */
  readonly #heard = element('span', { className: 'heard' });
  readonly #soundText = element('span');
  readonly #copyText = element('span');
  readonly #sound = element('button', { type: 'button', hidden: true }, icon(SOUND_ICON), this.#soundText);
  readonly #copy = element('button', { type: 'button', hidden: true }, icon(COPY_ICON), this.#copyText);
  readonly #asks = element('div', { className: 'asks' }, this.#sound, this.#copy);
  /** What shows sentences over the video besides. */
  readonly #inLanguage = new Set<(texts: Texts) => void>();
  #texts = ENGLISH_TEXTS;
  /** What the status text says, or said last. */
  #sentence: Sentence = () => '';
  /** Whether it is seen. */
  #isStatusShown = false;
  /** The page gives the container no height: it takes that of the display. */
  readonly #shapeless: boolean;
  #picture: HTMLElement | null = null;
  /** Where text is being typed: fractions of the picture. */
  #typedAt: Point = { x: 0.5, y: 0.5 };
  #display: Size = { width: 0, height: 0 };
  /** Called when the video's aspect ratio has changed. */
  #reshaped: () => void = () => {};

  /** @throws TypeError if the container cannot hold a shadow root */
  constructor(host: HTMLElement) {
    this.#host = host;
    this.mark = new FocusMark(host, this.keys);
    this.#shapeless = host.clientHeight === 0;
    this.#root = rootOf(host);
    this.#root.adoptedStyleSheets = [sheetOf(VIEW_STYLES)];
    this.keys.setAttribute('autocorrect', 'off');
    this.#status.setAttribute('role', 'status');
    this.#status.append(element('div', { className: 'spinner' }), this.#statusText, this.#heard);
    this.stage.setAttribute('role', 'img');
    const { ring, wayOut } = this.mark;
    const overlays = [this.cursors.element, this.#held, this.keys, this.#status, this.#asks, ring, wayOut];
    this.#root.replaceChildren(this.stage, ...overlays);
    this.texts = ENGLISH_TEXTS;
    if (this.#shapeless) host.style.aspectRatio = '16 / 9';
    for (const type of ['focus', 'blur']) this.keys.addEventListener(type, () => this.#makeRoom());
  }

  /** The language of the words over the video. */
  set texts(texts: Texts) {
    this.#texts = texts;
    const { say, language: lang, direction: dir } = texts;
    for (const part of [this.#status, this.#asks, this.mark.wayOut]) Object.assign(part, { lang, dir });
    this.keys.setAttribute('aria-label', say('keyboardInput'));
    this.stage.setAttribute('aria-label', say('pictureOf'));
    this.mark.wayOut.textContent = say('wayOut');
    this.#soundText.textContent = say('playSound');
    this.#copyText.textContent = say('copyToClipboard');
    this.#tell();
    for (const show of this.#inLanguage) show(texts);
  }

  /** Calls `show` with the sentences of the viewer's language, now and when that changes. @returns ends it */
  inLanguage(show: (texts: Texts) => void): () => void {
    this.#inLanguage.add(show);
    show(this.#texts);
    return () => this.#inLanguage.delete(show);
  }

  set picture(picture: HTMLElement) {
    this.#picture?.remove();
    this.#picture = picture;
    picture.id = 'vid';
    this.stage.append(picture);
    this.#frame.picture = picture;
  }

  set display(size: Size) {
    this.#display = size;
    this.#frame.display = size;
    if (this.#shapeless) this.#host.style.aspectRatio = `${size.width} / ${size.height}`;
    this.#reshaped();
  }

  get display(): Size {
    return this.#display;
  }

  /** The whole view in CSS pixels. */
  get size(): Size {
    return { width: this.#host.clientWidth, height: this.#host.clientHeight };
  }

  /** How much of the lower edge the video leaves free, in CSS pixels. */
  set bottom(pixels: number) {
    this.stage.style.bottom = `${pixels}px`;
  }

  /**
   * Adds an overlay that positions itself, now and whenever the view or the video changes its shape.
   * @returns removes it
   */
  overlay(made: HTMLElement, styles: string, place: () => void): () => void {
    const sheet = sheetOf(styles);
    this.#root.adoptedStyleSheets = [...this.#root.adoptedStyleSheets, sheet];
    this.cursors.element.after(made);
    const observer = new ResizeObserver(place);
    observer.observe(this.#host);
    this.#reshaped = place;
    return () => {
      observer.disconnect();
      this.#reshaped = () => {};
      made.remove();
      this.#root.adoptedStyleSheets = this.#root.adoptedStyleSheets.filter(each => each !== sheet);
    };
  }

  set cursor(css: string) {
    this.stage.style.cursor = css;
  }

  set status(status: StatusText) {
    const isCovered = status?.look === 'private' || !this.persists || this.#picture === null;
    const isShown = status !== null && isCovered;
    this.#status.className = isShown ? `status shown ${status.look}` : 'status';
    this.#isStatusShown = isShown;
    this.#sentence = status?.sentence ?? (({ say }) => say('connected'));
    this.#tell();
  }

  /** Only what has changed: it is read aloud. */
  #tell(): void {
    const sentence = this.#sentence(this.#texts);
    const [seen, heard] = this.#isStatusShown ? [sentence, ''] : [null, sentence];
    // What is no longer shown fades away.
    if (seen !== null && this.#statusText.textContent !== seen) this.#statusText.textContent = seen;
    this.#statusText.ariaHidden = String(seen === null);
    if (this.#heard.textContent !== heard) this.#heard.textContent = heard;
  }

  /** The rectangle of the video on the page, in CSS pixels. */
  get pictureRect(): Rect {
    const { left, top, scale } = this.#stagePlace;
    const rect = this.#frame.rect;
    return {
      left: left + rect.left * scale,
      top: top + rect.top * scale,
      width: rect.width * scale,
      height: rect.height * scale,
    };
  }

  /** Display pixels per CSS pixel. */
  get scale(): number {
    return this.#display.width === 0 ? 1 : this.#display.width / this.pictureRect.width;
  }

  /** Converts a point in the page's viewport to a position on the display. */
  pointOf(event: { clientX: number; clientY: number }): Point & { inside: boolean } {
    return displayPoint({ x: event.clientX, y: event.clientY }, this.pictureRect, this.#display);
  }

  /** Converts a position on the display to a point in the page's viewport. */
  placeOf({ x, y }: Point): { clientX: number; clientY: number } {
    const { left, top, width, height } = this.pictureRect;
    return { clientX: left + x * width, clientY: top + y * height };
  }

  /** Enlarges the picture by a factor, and moves what is at `from` in the page's viewport to `to`. */
  zoomBy(factor: number, from: Point, to: Point): void {
    this.#frame.zoomBy(factor, this.#onStage(from), this.#onStage(to));
  }

  /** Shows the whole picture or, if that is there already, the display's pixels around a point in the viewport. */
  toggleZoom(at: Point): void {
    this.#frame.toggleZoom(this.#onStage(at));
  }

  /** Marks the place in the viewport where a finger rests; null: no more. */
  set held(at: Point | null) {
    this.#held.hidden = at === null;
    if (at === null) return;
    const { x, y } = this.#onStage(at);
    this.#held.style.translate = `${x}px ${y}px`;
  }

  /** Text is being typed here from now on: moves the text element there, for the window of an input method. */
  placeKeys(event: { clientX: number; clientY: number }): void {
    this.#typedAt = this.pointOf(event);
    const stage = this.stage.getBoundingClientRect();
    this.keys.style.left = `${Math.max(0, Math.min(stage.width - 2, event.clientX - stage.left))}px`;
    this.keys.style.top = `${Math.max(0, Math.min(stage.height - 24, event.clientY - stage.top))}px`;
  }

  focus(): void {
    this.mark.focus();
  }

  get focused(): boolean {
    return this.#root.activeElement === this.keys;
  }

  /** Whether the session is inside an element of the page. */
  isIn(element: Element): boolean {
    return element.contains(this.#host);
  }

  /** Shows or hides the button that starts audio. */
  askForSound(play: (() => void) | null): void {
    this.#ask(this.#sound, play);
  }

  /** Shows or hides the copy button. */
  askToCopy(copy: (() => void) | null): void {
    this.#ask(this.#copy, copy);
  }

  stop(): void {
    this.#frame.stop();
    this.#keyboard.stop();
    this.cursors.clear();
    this.#root.replaceChildren();
    this.#root.adoptedStyleSheets = [];
    if (this.#shapeless) this.#host.style.aspectRatio = '';
  }

  /** Moves the picture above a phone's keyboard, so that the place where text is being typed is seen. */
  #makeRoom(): void {
    const before = this.#frame.covered;
    const { scale } = this.#stagePlace;
    this.#frame.covered = this.focused ? this.#keyboard.covers(this.stage.getBoundingClientRect()) / scale : 0;
    if (this.#frame.covered > before) this.#frame.reveal(this.#typedAt);
  }

  /** Where the stage is in the viewport; `scale`: how much the page has enlarged it. */
  get #stagePlace(): { left: number; top: number; scale: number } {
    const { left, top, width } = this.stage.getBoundingClientRect();
    return { left, top, scale: width > 0 ? width / this.stage.clientWidth : 1 };
  }

  #onStage({ x, y }: Point): Point {
    const { left, top, scale } = this.#stagePlace;
    return { x: (x - left) / scale, y: (y - top) / scale };
  }

  #ask(button: HTMLButtonElement, clicked: (() => void) | null): void {
    button.hidden = clicked === null;
    button.onclick = clicked === null ? null : () => (clicked(), this.focus());
  }
}

function sheetOf(styles: string): CSSStyleSheet {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(styles);
  return sheet;
}

function rootOf(host: HTMLElement): ShadowRoot {
  try {
    return host.shadowRoot ?? host.attachShadow({ mode: 'open' });
  } catch {
    throw new TypeError('container must be a div');
  }
}

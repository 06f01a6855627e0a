import type { Seats, Welcome } from '../../../protocol/generated/schemas.js';
import { encodeInput, type InputEvent } from '../../../protocol/input.js';
import { encodeText } from '../../../protocol/viewer-messages.js';
import type { RecentUse } from '../../media/recent-use.js';
import type { Connection } from '../connection/connection.js';
import type { BerthOptions } from '../options.js';
import { ConsolePads } from '../pad/console-pads.js';
import { isConsole } from '../../controls/controls.js';
import type { SessionClipboard } from '../clipboard/session-clipboard.js';
import { safely } from '../../lib/safely.js';
import type { View } from '../view/view.js';
import type { InputSink } from './input-sink.js';
import { Keyboard } from './keyboard.js';
import { pressPaste } from './paste.js';
import { Pointer } from './pointer.js';
import { Touch } from './touch.js';

type InputOptions = Pick<BerthOptions, 'delegateKeyboard' | 'disableInput' | 'touchPad' | 'onKeyboardLeave'>;

interface Devices {
  readonly keyboard: Keyboard;
  readonly pointer: Pointer;
  readonly touch: Touch;
}

/**
 * The way of all input to the session: what the viewer's devices and the page send goes from here to the connection; on
 * a console, by way of its pads.
 */
export class SessionInput implements InputSink {
  /** Whether the session takes input now; what is sent meanwhile is dropped, except releases. */
  isOpen = false;
  readonly #view: View;
  readonly #options: InputOptions;
  readonly #connection: Pick<Connection, 'send'>;
  readonly #use: RecentUse;
  /** Null if input is disabled. */
  #devices: Devices | null = null;
  #delegatesKeyboard: boolean;
  /** The newest of the service. */
  #welcome: Welcome | null = null;
  #seats: { seats: Pick<Seats, 'seats'>; userId: string | null } | null = null;
  readonly #clipboard: Pick<SessionClipboard, 'paste' | 'pasteRead' | 'beforeMenu'>;
  #pads: ConsolePads | null = null;
  /** What is sent when the viewer's clipboard is there, in order; null: nothing waits for it. */
  #waiting: InputEvent[] | null = null;
  /** Whether the service knows keys with their place. */
  #knowsPlaces = false;

  /**
   * @param use notes when the viewer last sent input
   * @param clipboard brings the viewer's clipboard before what pastes it
   */
  constructor(
    view: View,
    options: InputOptions,
    connection: Pick<Connection, 'send'>,
    use: RecentUse,
    clipboard: Pick<SessionClipboard, 'paste' | 'pasteRead' | 'beforeMenu'>,
  ) {
    this.#clipboard = clipboard;
    this.#view = view;
    this.#options = options;
    this.#connection = connection;
    this.#use = use;
    this.#delegatesKeyboard = options.delegateKeyboard ?? true;
    this.isDisabled = options.disableInput ?? false;
  }

  /** Whether this viewer only watches. */
  get isDisabled(): boolean {
    return this.#devices === null;
  }

  set isDisabled(isDisabled: boolean) {
    if (isDisabled === this.isDisabled) return;
    if (isDisabled) this.stop();
    else this.#start();
  }

  /** Whether keys pressed anywhere on the page go to the session. */
  get delegatesKeyboard(): boolean {
    return this.#delegatesKeyboard;
  }

  set delegatesKeyboard(delegates: boolean) {
    if (delegates === this.#delegatesKeyboard) return;
    this.#delegatesKeyboard = delegates;
    if (this.#devices !== null) this.#devices.keyboard.delegates = delegates;
  }

  /** Null if the session is not a console, or this viewer only watches. */
  get pads(): ConsolePads | null {
    return this.#pads;
  }

  /** Sets up the input devices according to the service's welcome. */
  welcome(welcome: Welcome): void {
    this.#knowsPlaces = welcome.physical_keys ?? false;
    this.#welcome = welcome;
    this.#prepare();
  }

  /** The seats of a console have changed. */
  seat(seats: Pick<Seats, 'seats'>, userId: string | null): void {
    this.#seats = { seats, userId };
    this.#pads?.seat(seats, userId);
  }

  send(event: InputEvent): void {
    if (this.#pads !== null) return this.#pads.input(event);
    if (this.#waiting !== null) return void this.#waiting.push(event);
    const brought = opensMenu(event) ? this.#clipboard.beforeMenu() : undefined;
    if (brought === undefined) return this.#sendNow(event);
    this.#waiting = [event];
    void brought.then(() => this.#sendWaiting());
  }

  swipe(direction: 'left' | 'right'): void {
    this.#connection.send(encodeText({ type: 'swipe', direction }));
  }

  paste(data: DataTransfer): boolean | Promise<boolean> {
    return this.#clipboard.paste(data);
  }

  /** Pastes the viewer's clipboard, if the browser lets the page read it. */
  async pasteRead(): Promise<void> {
    if (await this.#clipboard.pasteRead()) pressPaste(this);
  }

  /** Releases all keys. */
  release(): void {
    this.#devices?.keyboard.release();
  }

  stop(): void {
    for (const device of Object.values<{ stop(): void }>({ ...this.#devices })) device.stop();
    this.#devices = null;
    if (this.#pads !== null) this.#pads.isPaused = true;
    this.#pads?.stop();
    this.#pads = null;
  }

  #start(): void {
    const { onKeyboardLeave } = this.#options;
    const left = onKeyboardLeave && (() => safely(onKeyboardLeave));
    this.#devices = {
      keyboard: new Keyboard(this.#view, this, this.#delegatesKeyboard, left),
      pointer: new Pointer(this.#view, this),
      touch: new Touch(this.#view, this),
    };
    this.#prepare();
  }

  #prepare(): void {
    if (this.#devices === null || this.#welcome === null) return;
    const { kind, touch_gestures = {}, page_touch: pageTouch = false } = this.#welcome;
    const [touchScreen, zoom] = [kind === 'android', kind === 'chromium'];
    this.#devices.touch.gestures = { ...touch_gestures, pageTouch, touchScreen, zoom };
    this.#devices.pointer.zooms = kind === 'chromium';
    if (!isConsole(kind)) return;
    if (this.#pads !== null) return;
    this.#pads = new ConsolePads(kind, this.#view, this.#options.touchPad ?? 'auto', message => this.#write(message));
    if (this.#seats !== null) this.#pads.seat(this.#seats.seats, this.#seats.userId);
  }

  #sendNow(event: InputEvent): void {
    if (this.isOpen || event.type === 'release') this.#write(encodeInput(this.#known(event)));
  }

  #sendWaiting(): void {
    const events = this.#waiting ?? [];
    this.#waiting = null;
    for (const event of events) this.#sendNow(event);
  }

  #known(event: InputEvent): InputEvent {
    if (event.type !== 'key' || this.#knowsPlaces) return event;
    const { code: _, ...known } = event;
    return known;
  }

  #write(message: Uint8Array): void {
    this.#use.note(performance.now());
    this.#connection.send(message);
  }
}

const [RIGHT, MENU, F10] = [2, 0xff67, 0xffc7];

/** Whether it opens a context menu, as far as one can tell. */
const opensMenu = (event: InputEvent) =>
  (event.type === 'button' && event.down && event.button === RIGHT) ||
  (event.type === 'key' && event.down && (event.keysym === MENU || event.keysym === F10));

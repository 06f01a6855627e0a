import type { Welcome } from '../../../protocol/generated/schemas.js';
import { encodeInput, type InputEvent } from '../../../protocol/input.js';
import { CLIPBOARD_MAX_BYTES } from '../../../protocol/message-type.js';
import { encodeClipboard, encodeText } from '../../../protocol/viewer-messages.js';
import type { RecentUse } from '../../media/recent-use.js';
import type { Connection } from '../connection/connection.js';
import type { BerthOptions } from '../options.js';
import { ConsolePads } from '../pad/console-pads.js';
import { isConsole } from '../../controls/controls.js';
import type { View } from '../view/view.js';
import type { InputSink } from './input-sink.js';
import { Keyboard } from './keyboard.js';
import { Pointer } from './pointer.js';
import { Touch } from './touch.js';

type InputOptions = Pick<BerthOptions, 'delegateKeyboard' | 'disableInput' | 'touchPad'>;

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
  readonly #devices: Devices | null;
  #pads: ConsolePads | null = null;
  /** Whether the service knows keys with their place. */
  #knowsPlaces = false;

  /** @param use notes when the viewer last sent input */
  constructor(view: View, options: InputOptions, connection: Pick<Connection, 'send'>, use: RecentUse) {
    this.#view = view;
    this.#options = options;
    this.#connection = connection;
    this.#use = use;
    this.#devices = options.disableInput
      ? null
      : {
          keyboard: new Keyboard(view, this, options.delegateKeyboard ?? true),
          pointer: new Pointer(view, this),
          touch: new Touch(view, this),
        };
  }

  /** Whether this viewer only watches. */
  get isDisabled(): boolean {
    return this.#devices === null;
  }

  /** Null if the session is not a console, or this viewer only watches. */
  get pads(): ConsolePads | null {
    return this.#pads;
  }

  /** Sets up the input devices according to the service's welcome. */
  welcome({ kind, touch_gestures = {}, page_touch: pageTouch = false, physical_keys = false }: Welcome): void {
    this.#knowsPlaces = physical_keys;
    if (this.#devices === null) return;
    const [touchScreen, zoom] = [kind === 'android', kind === 'chromium'];
    this.#devices.touch.gestures = { ...touch_gestures, pageTouch, touchScreen, zoom };
    this.#devices.pointer.zooms = kind === 'chromium';
    if (!isConsole(kind)) return;
    this.#pads ??= new ConsolePads(kind, this.#view, this.#options.touchPad ?? 'auto', message => this.#write(message));
  }

  send(event: InputEvent): void {
    if (this.#pads !== null) this.#pads.input(event);
    else if (this.isOpen || event.type === 'release') this.#write(encodeInput(this.#known(event)));
  }

  swipe(direction: 'left' | 'right'): void {
    this.#connection.send(encodeText({ type: 'swipe', direction }));
  }

  /** Sets the session's clipboard, unless the text is too large for it. */
  setClipboard(text: string): void {
    const message = encodeClipboard(text);
    if (message.length <= 1 + CLIPBOARD_MAX_BYTES) this.#connection.send(message);
  }

  /** Releases all keys. */
  release(): void {
    this.#devices?.keyboard.release();
  }

  stop(): void {
    for (const device of Object.values<{ stop(): void }>({ ...this.#devices })) device.stop();
    this.#pads?.stop();
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

import type { Welcome } from '../../../protocol/generated/schemas.js';
import type { InputSink } from './input-sink.js';
import { Keyboard } from './keyboard.js';
import type { BerthOptions } from '../options.js';
import { ConsolePads } from '../pad/console-pads.js';
import { isConsole } from '../pad/controls.js';
import { Pointer } from './pointer.js';
import { Touch } from './touch.js';
import type { View } from '../view/view.js';

type InputOptions = Pick<BerthOptions, 'delegateKeyboard' | 'disableInput' | 'touchPad'>;

interface Instruments {
  readonly keyboard: Keyboard;
  readonly pointer: Pointer;
  readonly touch: Touch;
}

/** All input of a session: keyboard, mouse, touch, and the pads of a console; none if input is disabled. */
export class SessionInput {
  readonly #view: View;
  readonly #options: InputOptions;
  readonly #send: (message: Uint8Array) => void;
  readonly #instruments: Instruments | null;
  #pads: ConsolePads | null = null;

  /** `send` transmits pad messages. */
  constructor(view: View, options: InputOptions, sink: InputSink, send: (message: Uint8Array) => void) {
    this.#view = view;
    this.#options = options;
    this.#send = send;
    this.#instruments = options.disableInput
      ? null
      : {
          keyboard: new Keyboard(view, sink, options.delegateKeyboard ?? true),
          pointer: new Pointer(view, sink),
          touch: new Touch(view, sink),
        };
  }

  get keyboard(): Keyboard | null {
    return this.#instruments?.keyboard ?? null;
  }

  /** Null if the session is not a console, or this viewer only watches. */
  get pads(): ConsolePads | null {
    return this.#pads;
  }

  /** Sets up the input devices according to the service's welcome. */
  welcome({ kind, touch_gestures = {} }: Welcome): void {
    if (this.#instruments === null) return;
    this.#instruments.touch.gestures = { ...touch_gestures, touchScreen: kind === 'android' };
    if (isConsole(kind)) this.#pads ??= new ConsolePads(kind, this.#view, this.#options.touchPad ?? 'auto', this.#send);
  }

  /** Releases all keys. */
  release(): void {
    this.keyboard?.release();
  }

  stop(): void {
    for (const instrument of Object.values<{ stop(): void }>({ ...this.#instruments })) instrument.stop();
    this.#pads?.stop();
  }
}

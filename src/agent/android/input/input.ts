import type { FromAgent } from '../../../protocol/generated/schemas.js';
import type { InputEvent } from '../../../protocol/input.js';
import { ANDROID_CLIPBOARD_MAX_BYTES } from '../../../protocol/message-type.js';
import type { Control } from '../scrcpy/control.js';
import type { PictureSize } from '../video/messages.js';
import { DeviceClipboard } from './clipboard.js';
import { Fingers, type Toucher } from './fingers.js';
import { Mouse } from './mouse.js';
import { Typing } from './typing.js';

export interface InputOptions {
  /** The control socket; undefined while there is no device. */
  readonly control: () => Control | undefined;
  /** The picture's size; undefined before the first one. */
  readonly size: () => PictureSize | undefined;
  /** The last finger is up. */
  readonly freed: () => void;
  /** Text was copied on the device. */
  readonly copied: (text: string) => void;
  readonly tell: (message: FromAgent) => void;
}

/** Passes viewers' input on to a device. */
export class DeviceInput {
  readonly #options: InputOptions;
  readonly #fingers: Fingers;
  readonly #mouse: Mouse;
  readonly #typing: Typing;
  readonly #clipboard: DeviceClipboard;

  constructor(options: InputOptions) {
    this.#options = options;
    const { control, copied, freed } = options;
    this.#fingers = new Fingers((...touch) => control()?.touch(...touch), freed);
    this.#mouse = new Mouse(this.#fingers, control);
    this.#clipboard = new DeviceClipboard(control, copied);
    this.#typing = new Typing(control, this.#clipboard, () =>
      options.tell({ type: 'notice', code: 'text_not_typed', message: 'The device did not accept the text.' }),
    );
  }

  /** Whether a finger is down. */
  get isHeld(): boolean {
    return this.#fingers.isHeld;
  }

  take(toucher: Toucher, event: InputEvent): void {
    const size = this.#options.size();
    if (size === undefined) return;
    switch (event.type) {
      case 'touch':
        return this.#fingers.touch(toucher, event.points, size);
      case 'move':
      case 'button':
      case 'wheel':
        return this.#mouse.input(toucher, event, size);
      case 'key':
        return this.#typing.key(toucher, event.down, event.keysym);
      case 'text':
        return this.#typing.text(event.text);
      case 'release':
        return this.left(({ link, user }) => link === toucher.link && user === toucher.user);
    }
  }

  /** Sets the device's clipboard to a viewer's text. */
  paste(text: string): void {
    if (!this.#clipboard.set(text)) {
      const message = `The device's clipboard takes at most ${ANDROID_CLIPBOARD_MAX_BYTES} bytes of text.`;
      this.#options.tell({ type: 'notice', code: 'clipboard_too_large', message });
    }
  }

  /** The device reported its clipboard. */
  told(text: string): void {
    this.#clipboard.told(text);
  }

  /** Releases what viewers that have gone held. */
  left(isGone: (toucher: Toucher) => boolean): void {
    this.#mouse.left(isGone);
    this.#fingers.left(isGone, this.#options.size());
    this.#typing.left(isGone);
  }

  /** The picture has another size. */
  resized(size: PictureSize): void {
    this.#fingers.resized(size);
  }

  /** The device is lost, and with it what was held. */
  forget(): void {
    this.#fingers.forget();
    this.#typing.forget();
    this.#clipboard.forget();
  }
}

import { CursorStyles } from './cursor.js';
import { parseCursor } from '../../../protocol/viewer-messages.js';

/** The mouse cursor over the video, as a CSS cursor. */
export class PointerShape {
  readonly #styles = new CursorStyles();
  readonly #show: (css: string) => void;
  #css = 'default';
  /** Whether the session wants the pointer hidden. */
  #isHidden = false;
  /** Whether the viewer's input reaches the session. */
  #hasControl = true;

  constructor(show: (css: string) => void) {
    this.#show = show;
  }

  set isHidden(isHidden: boolean) {
    this.#isHidden = isHidden;
    this.#draw();
  }

  set hasControl(hasControl: boolean) {
    this.#hasControl = hasControl;
    this.#draw();
  }

  /** Handles a cursor message. */
  update(message: Uint8Array): void {
    const shape = parseCursor(message);
    if (shape === null) return;
    this.#css = this.#styles.styleOf(shape);
    this.#draw();
  }

  #draw(): void {
    this.#show(!this.#hasControl ? 'not-allowed' : this.#isHidden ? 'none' : this.#css);
  }
}

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
  #isHeard = true;

  constructor(show: (css: string) => void) {
    this.#show = show;
  }

  set isHidden(isHidden: boolean) {
    this.#isHidden = isHidden;
    this.#tell();
  }

  set isHeard(isHeard: boolean) {
    this.#isHeard = isHeard;
    this.#tell();
  }

  /** Handles a cursor message. */
  take(message: Uint8Array): void {
    const shape = parseCursor(message);
    if (shape === null) return;
    this.#css = this.#styles.styleOf(shape);
    this.#tell();
  }

  #tell(): void {
    this.#show(!this.#isHeard ? 'not-allowed' : this.#isHidden ? 'none' : this.#css);
  }
}

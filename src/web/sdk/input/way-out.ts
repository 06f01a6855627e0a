const MODIFIERS = ['Control', 'Alt', 'Shift', 'Meta'];

/**
 * Ctrl, Alt and Shift, pressed together and released with no other key between, lead out of the picture: no page and no
 * system needs that, and shortcuts with all three still reach the session.
 */
export class WayOut {
  #isOpen = false;

  /** A key was pressed. */
  down(event: KeyboardEvent): void {
    const { key, ctrlKey, altKey, shiftKey } = event;
    // With AltGr, which is Ctrl and Alt on Windows, characters are typed.
    const isTyping = event.getModifierState('AltGraph');
    // X servers call an Alt that is pressed after Shift Meta.
    this.#isOpen = ctrlKey && altKey && shiftKey && !isTyping && MODIFIERS.includes(key);
  }

  /** A key was released: whether the viewer leaves. */
  up({ key }: KeyboardEvent): boolean {
    const leaves = this.#isOpen && MODIFIERS.includes(key);
    this.#isOpen = false;
    return leaves;
  }

  /** Something else was pressed with them. */
  close(): void {
    this.#isOpen = false;
  }
}

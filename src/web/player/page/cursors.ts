import type { Access } from '../../sdk/permissions.js';
import type { Session } from '../../sdk/session.js';

/** The bar's button for showing other viewers' pointers; available to those who may see them. */
export class CursorsToggle {
  readonly #session: Session;
  readonly #button: HTMLButtonElement;

  constructor(session: Session, button: HTMLButtonElement) {
    this.#session = session;
    this.#button = button;
    button.onclick = () => this.#turn(!session.view.cursors.shown);
    button.hidden = true;
    this.#turn(session.view.cursors.shown);
  }

  changed({ admin, roles }: Access): void {
    this.#button.hidden = !admin && !roles.includes('cursor_data');
  }

  #turn(on: boolean): void {
    this.#session.view.cursors.shown = on;
    this.#button.setAttribute('aria-pressed', String(on));
  }
}

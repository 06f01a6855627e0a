import type { InputEvent } from '../../../protocol/input.js';
import { accessMessage } from '../../model/index.js';
import { ControlDesk } from './control-arbiter.js';
import { InputRelay } from './input-relay.js';
import { Pointers } from './pointers.js';
import type { Viewer } from '../viewer/viewer.js';

export interface HandsHandlers {
  /** Sends the agent a viewer's input; false where it was dropped. */
  send(user: number, message: Uint8Array): boolean;
  /** A viewer's input does not count any more. */
  lostControl(viewer: Viewer): void;
  /** Has the agent go through the history. */
  swipe(direction: 'left' | 'right'): void;
}

/** What all viewers do to a session: who controls, whose pointer is where, and what of it reaches the agent. */
export class Hands {
  readonly #handlers: HandsHandlers;
  readonly #desk: ControlDesk;
  readonly #pointers: Pointers;
  readonly #input: InputRelay;

  constructor(viewers: Iterable<Viewer>, handlers: HandsHandlers) {
    this.#handlers = handlers;
    this.#desk = new ControlDesk(viewers, (viewer, controls) => {
      if (!controls) {
        this.#input.letGo(viewer);
        handlers.lostControl(viewer);
      }
      this.tellAccess(viewer);
    });
    this.#pointers = new Pointers(viewers);
    this.#input = new InputRelay((user, message) => handlers.send(user, message), viewers, this.#desk);
  }

  input(viewer: Viewer, event: InputEvent, bytes: Uint8Array): void {
    this.#pointers.noted(viewer, event);
    this.#input.input(viewer, event, bytes);
  }

  /** Puts a viewer's text on the session's clipboard. */
  paste(viewer: Viewer, bytes: Uint8Array): void {
    this.#input.paste(viewer, bytes);
  }

  swipe(viewer: Viewer, direction: 'left' | 'right'): void {
    if (this.takesPart(viewer)) this.#handlers.swipe(direction);
  }

  /** Notes that a viewer does something, by which it may take control from others; whether it controls now. */
  takesPart(viewer: Viewer): boolean {
    this.#desk.noted(viewer, performance.now());
    return this.#desk.controls(viewer);
  }

  /** Whether a viewer controls now. */
  controls(viewer: Viewer): boolean {
    return this.#desk.controls(viewer);
  }

  /** A viewer takes part from now on; it is told what it may do. */
  joined(viewer: Viewer): void {
    this.#desk.update();
    // Who controls was told with that.
    if (!this.#desk.controls(viewer)) this.tellAccess(viewer);
  }

  left(viewer: Viewer): void {
    this.#input.letGo(viewer);
    this.#pointers.left(viewer);
    this.#desk.update();
  }

  /** A viewer may do something else than before; it is told. */
  accessChanged(viewer: Viewer): void {
    const controlled = this.#desk.controls(viewer);
    this.#desk.update();
    if (controlled === this.#desk.controls(viewer)) this.tellAccess(viewer);
  }

  tellAccess(viewer: Viewer): void {
    viewer.tell(accessMessage(viewer.access, this.#desk.controls(viewer)));
  }

  /** The link was lost, upon which the agent lets go of everything. */
  reset(): void {
    this.#input.reset();
  }

  stop(): void {
    this.#input.reset();
    this.#desk.stop();
    this.#pointers.stop();
  }
}

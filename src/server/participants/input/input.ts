import type { InputEvent } from '../../../protocol/input.js';
import { accessMessage } from '../../model/index.js';
import { ControlArbiter } from './control-arbiter.js';
import { InputRelay } from './input-relay.js';
import { Pointers } from './pointers.js';
import type { Viewer } from '../viewer/viewer.js';

export interface SessionInputHandlers {
  /** Sends the agent a viewer's input; false if it was dropped. */
  send(user: number, message: Uint8Array): boolean;
  /** A viewer's input no longer counts. */
  lostControl(viewer: Viewer): void;
  /** Makes the agent go back or forward in the history. */
  swipe(direction: 'left' | 'right'): void;
}

/** All viewers' input to a session: who has control, where each pointer is, and what reaches the agent. */
export class SessionInput {
  readonly #handlers: SessionInputHandlers;
  readonly #arbiter: ControlArbiter;
  readonly #pointers: Pointers;
  readonly #input: InputRelay;

  constructor(viewers: Iterable<Viewer>, handlers: SessionInputHandlers) {
    this.#handlers = handlers;
    this.#arbiter = new ControlArbiter(viewers, (viewer, controls) => {
      if (!controls) {
        this.#input.letGo(viewer);
        handlers.lostControl(viewer);
      }
      this.tellAccess(viewer);
    });
    this.#pointers = new Pointers(viewers);
    this.#input = new InputRelay((user, message) => handlers.send(user, message), viewers, this.#arbiter);
  }

  input(viewer: Viewer, event: InputEvent, bytes: Uint8Array): void {
    this.#pointers.noted(viewer, event);
    this.#input.input(viewer, event, bytes);
  }

  /** Sets the session's clipboard to a viewer's text. */
  paste(viewer: Viewer, bytes: Uint8Array): void {
    this.#input.paste(viewer, bytes);
  }

  swipe(viewer: Viewer, direction: 'left' | 'right'): void {
    if (this.takesPart(viewer)) this.#handlers.swipe(direction);
  }

  /** Records activity of a viewer, which may take control from others; returns whether it has control now. */
  takesPart(viewer: Viewer): boolean {
    this.#arbiter.noted(viewer, performance.now());
    return this.#arbiter.controls(viewer);
  }

  /** Whether a viewer has control now. */
  controls(viewer: Viewer): boolean {
    return this.#arbiter.controls(viewer);
  }

  /** A viewer joined; it is told what it may do. */
  joined(viewer: Viewer): void {
    this.#arbiter.update();
    // Joining has already reported who has control.
    if (!this.#arbiter.controls(viewer)) this.tellAccess(viewer);
  }

  left(viewer: Viewer): void {
    this.#input.letGo(viewer);
    this.#pointers.left(viewer);
    this.#arbiter.update();
  }

  /** A viewer's access changed; it is told. */
  accessChanged(viewer: Viewer): void {
    const controlled = this.#arbiter.controls(viewer);
    this.#arbiter.update();
    if (controlled === this.#arbiter.controls(viewer)) this.tellAccess(viewer);
  }

  tellAccess(viewer: Viewer): void {
    viewer.tell(accessMessage(viewer.access, this.#arbiter.controls(viewer)));
  }

  /** The link was lost, whereupon the agent releases everything. */
  reset(): void {
    this.#input.reset();
  }

  stop(): void {
    this.#input.reset();
    this.#arbiter.stop();
    this.#pointers.stop();
  }
}

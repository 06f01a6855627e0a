import { encodeInput, type InputEvent } from '../../protocol/input.js';
import { mayControl } from './access.js';
import { HeldInputs } from './held.js';
import type { Viewer } from './viewer.js';

/** How often viewers that hold something are asked for a sign of life, and how long they may owe it, ms. */
const WATCH_INTERVAL_MS = 1000;
const SILENCE_MS = 5000;

/** Passes input of the viewers that may control on to the agent, and lets go of what a vanished viewer held. */
export class InputRelay {
  readonly #held = new HeldInputs();
  readonly #send: (user: number, message: Uint8Array) => boolean;
  readonly #viewers: Iterable<Viewer>;
  #watch: NodeJS.Timeout | undefined;

  constructor(send: (user: number, message: Uint8Array) => boolean, viewers: Iterable<Viewer>) {
    this.#send = send;
    this.#viewers = viewers;
  }

  input(viewer: Viewer, event: InputEvent, bytes: Uint8Array): void {
    if (!mayControl(viewer.access)) return;
    if (event.type === 'release') return this.letGo(viewer);
    if (!this.#held.note(viewer.number, event)) return;
    this.#send(viewer.number, bytes);
    if (!this.#held.isEmpty) this.#watch ??= setInterval(() => this.#check(), WATCH_INTERVAL_MS).unref();
  }

  /** Puts a viewer's text on the session's clipboard. */
  paste(viewer: Viewer, bytes: Uint8Array): void {
    if (mayControl(viewer.access)) this.#send(viewer.number, bytes);
  }

  /** Lets go of everything the viewer holds. */
  letGo(viewer: Viewer): void {
    for (const event of this.#held.letGo(viewer.number)) this.#send(viewer.number, encodeInput(event));
    if (this.#held.isEmpty) this.#rest();
  }

  /** The link was lost, upon which the agent lets go of everything. */
  reset(): void {
    this.#held.clear();
    this.#rest();
  }

  #check(): void {
    const now = performance.now();
    for (const viewer of this.#viewers) {
      if (!this.#held.holds(viewer.number)) continue;
      if (now - viewer.heardAt > SILENCE_MS) this.letGo(viewer);
      else viewer.ping();
    }
  }

  #rest(): void {
    clearInterval(this.#watch);
    this.#watch = undefined;
  }
}

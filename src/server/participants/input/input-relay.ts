import { encodeInput, type InputEvent } from '../../../protocol/input.js';
import type { ControlArbiter } from './control-arbiter.js';
import { HeldInputs } from './held.js';
import type { Viewer } from '../viewer/viewer.js';

/** How often viewers that hold something are pinged, and how long they may take to answer, ms. */
const WATCH_INTERVAL_MS = 1000;
const SILENCE_MS = 5000;

/** After this long without a move, a drag yields to the pointer of another viewer, ms. */
const DRAG_SILENCE_MS = 3000;

/**
 * Forwards input of viewers in control to the agent, and releases what a viewer held that vanished or lost control.
 * There is one pointer: while one viewer drags, those of the others are ignored.
 */
export class InputRelay {
  readonly #held = new HeldInputs();
  readonly #send: (user: number, message: Uint8Array) => boolean;
  readonly #viewers: Iterable<Viewer>;
  readonly #arbiter: ControlArbiter;
  #drag: { viewer: Viewer; movedAt: number } | null = null;
  #watch: NodeJS.Timeout | undefined;

  constructor(
    send: (user: number, message: Uint8Array) => boolean,
    viewers: Iterable<Viewer>,
    arbiter: ControlArbiter,
  ) {
    this.#send = send;
    this.#viewers = viewers;
    this.#arbiter = arbiter;
  }

  input(viewer: Viewer, event: InputEvent, bytes: Uint8Array): void {
    const now = performance.now();
    if (event.type === 'release') return this.letGo(viewer);
    if (!this.#counts(viewer, now)) return;
    const isPointer = event.type !== 'key' && event.type !== 'text';
    if (isPointer && !this.#hasPointer(viewer, now)) return;
    if (!this.#held.note(viewer.number, event)) return;
    if (isPointer) this.#drag = this.#held.drags(viewer.number) ? { viewer, movedAt: now } : null;
    this.#send(viewer.number, bytes);
    if (!this.#held.isEmpty) this.#watch ??= setInterval(() => this.#check(), WATCH_INTERVAL_MS).unref();
  }

  /** Sets the session's clipboard to a viewer's text. */
  paste(viewer: Viewer, bytes: Uint8Array): void {
    if (this.#counts(viewer, performance.now())) this.#send(viewer.number, bytes);
  }

  /** Releases everything the viewer holds. */
  letGo(viewer: Viewer): void {
    for (const event of this.#held.letGo(viewer.number)) this.#send(viewer.number, encodeInput(event));
    if (this.#drag?.viewer === viewer) this.#drag = null;
    if (this.#held.isEmpty) this.#rest();
  }

  /** The link was lost, whereupon the agent releases everything. */
  reset(): void {
    this.#held.clear();
    this.#drag = null;
    this.#rest();
  }

  /** Whether input of the viewer counts now; it may take control from others. */
  #counts(viewer: Viewer, now: number): boolean {
    this.#arbiter.noted(viewer, now);
    return this.#arbiter.controls(viewer);
  }

  /** Whether the viewer may move the pointer; ends another viewer's drag that appears abandoned. */
  #hasPointer(viewer: Viewer, now: number): boolean {
    if (this.#drag === null || this.#drag.viewer === viewer) return true;
    if (now - this.#drag.movedAt < DRAG_SILENCE_MS) return false;
    this.letGo(this.#drag.viewer);
    return true;
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

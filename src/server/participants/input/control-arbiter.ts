import { mayControl } from '../../model/index.js';
import { decideControl, preemptsUntil } from './control.js';
import type { Viewer } from '../viewer/viewer.js';

/** Idleness is noticed as exactly as this, ms, so that short idle timeouts do not keep everybody busy. */
const STEP_MS = 100;

/** Knows which viewers control a session now. */
export class ControlDesk {
  readonly #viewers: Iterable<Viewer>;
  readonly #changed: (viewer: Viewer, controls: boolean) => void;
  #controllers: ReadonlySet<Viewer> = new Set();
  #timer: NodeJS.Timeout | undefined;

  /** `changed` is told of viewers whose input begins or ceases to count, of those first that lose control. */
  constructor(viewers: Iterable<Viewer>, changed: (viewer: Viewer, controls: boolean) => void) {
    this.#viewers = viewers;
    this.#changed = changed;
  }

  controls(viewer: Viewer): boolean {
    return this.#controllers.has(viewer);
  }

  /** Notes that a viewer gave input, which may take control from others. */
  noted(viewer: Viewer, now: number): void {
    if (!mayControl(viewer.access)) return;
    const wasIdle = (preemptsUntil(viewer) ?? 0) <= now;
    viewer.inputAt = now;
    if (wasIdle) this.update();
  }

  /** Decides anew: somebody came or left, or may do something else. */
  update(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const now = performance.now();
    const before = this.#controllers;
    const { controllers, until } = decideControl(this.#viewers, now);
    this.#controllers = controllers;
    if (until !== null && until !== Infinity) {
      const wait = Math.min(2 ** 31 - 1, Math.max(STEP_MS, Math.ceil(until - now)));
      this.#timer = setTimeout(() => this.update(), wait).unref();
    }
    for (const viewer of before) if (!controllers.has(viewer)) this.#changed(viewer, false);
    for (const viewer of controllers) if (!before.has(viewer)) this.#changed(viewer, true);
  }

  stop(): void {
    clearTimeout(this.#timer);
  }
}

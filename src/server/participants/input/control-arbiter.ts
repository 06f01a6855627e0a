import { type Access, mayControl } from '../../model/index.js';
import type { Viewer } from '../viewer/viewer.js';

/** Precision with which idleness is noticed, ms, so that short idle timeouts do not cause constant work. */
const STEP_MS = 100;

/** Decides which viewers control a session. */
export class ControlArbiter {
  readonly #viewers: Iterable<Viewer>;
  readonly #changed: (viewer: Viewer, controls: boolean) => void;
  #controllers: ReadonlySet<Viewer> = new Set();
  #timer: NodeJS.Timeout | undefined;

  /** `changed` is called for viewers whose input starts or stops counting, first for those that lose control. */
  constructor(viewers: Iterable<Viewer>, changed: (viewer: Viewer, controls: boolean) => void) {
    this.#viewers = viewers;
    this.#changed = changed;
  }

  controls(viewer: Viewer): boolean {
    return this.#controllers.has(viewer);
  }

  /** Records input of a viewer, which may take control from others. */
  noted(viewer: Viewer, now: number): void {
    if (!mayControl(viewer.access)) return;
    const wasIdle = (preemptsUntil(viewer) ?? 0) <= now;
    viewer.inputAt = now;
    if (wasIdle) this.update();
  }

  /** Decides again: a viewer joined, left, or had its access changed. */
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

/** A viewer that may be able to control a session. */
export interface Contender {
  readonly access: Access;
  /** When it last gave input, ms of any monotonic clock; null: never. */
  readonly inputAt: number | null;
}

/** Who has control, and when to decide again if nothing happens before; null: never. */
export interface Decision<T> {
  controllers: ReadonlySet<T>;
  until: number | null;
}

/**
 * Decides who controls at `now`. While somebody has `control_exclusive`, only those who have it; among them, nobody
 * with a lower priority than somebody who is not idle. An idle timeout of 0 never passes. Admins always control.
 */
export function decideControl<T extends Contender>(contenders: Iterable<T>, now: number): Decision<T> {
  const able = [...contenders].filter(({ access }) => mayControl(access));
  const exclusive = able.filter(({ access }) => access.permissions.control_exclusive);
  const pool = exclusive.length > 0 ? exclusive : able;
  let floor = -Infinity;
  let until: number | null = null;
  for (const contender of pool) {
    const end = preemptsUntil(contender);
    if (end === null || end <= now) continue;
    floor = Math.max(floor, contender.access.permissions.priority);
    if (end < (until ?? Infinity)) until = end;
  }
  const isAbove = ({ access }: T) => access.permissions.priority >= floor;
  return {
    controllers: new Set([...pool.filter(isAbove), ...able.filter(({ access }) => access.admin)]),
    until,
  };
}

/** Until when a contender pre-empts lower priorities; null: it does not. */
export function preemptsUntil({ access, inputAt }: Contender): number | null {
  const { idle_timeout: idleTimeout } = access.permissions;
  if (idleTimeout === 0) return Infinity;
  return inputAt === null ? null : inputAt + idleTimeout;
}

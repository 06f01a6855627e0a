import { encodeInput, type InputEvent } from '../../../protocol/input.js';
import { accessMessage, decideControl, mayControl, preemptsUntil } from '../../model/index.js';
import { Pace } from '../viewer/pace.js';
import type { Viewer } from '../viewer/viewer.js';

/** Minimum interval between messages about access, ms. */
const ACCESS_INTERVAL_MS = 100;

/** Precision with which idleness is noticed, ms, so that short idle timeouts do not cause constant work. */
const STEP_MS = 100;

/** After this long without a move, a drag yields to the pointer of another viewer, ms. */
const DRAG_SILENCE_MS = 3000;

/** How often viewers that hold something are pinged, and how long they may take to answer, ms. */
const WATCH_INTERVAL_MS = 1000;
const SILENCE_MS = 5000;

/**
 * Maximum number of keys and buttons that one viewer may hold at once, far more than a person needs; bounds the memory
 * that a hostile viewer can use.
 */
const MAX_HELD = 64;

export interface SessionInputHandlers {
  /** Sends the agent a viewer's input; false if it was dropped. */
  send(user: number, message: Uint8Array): boolean;
  /** A viewer's input no longer counts. */
  lostControl(viewer: Viewer): void;
  /** Who has control has changed. */
  controllersChanged(): void;
}

/**
 * Which input of a session's viewers reaches the agent: only that of viewers who have control now. What a viewer holds
 * is released when it vanishes or loses control. There is one pointer: while one viewer drags, those of the others are
 * ignored.
 */
export class SessionInput {
  readonly #viewers: Iterable<Viewer>;
  readonly #handlers: SessionInputHandlers;
  readonly #held = new Map<Viewer, HeldInputs>();
  #controllers: ReadonlySet<Viewer> = new Set();
  #drag: { viewer: Viewer; movedAt: number } | null = null;
  /** The viewers whose access has changed since they were told. */
  readonly #untold = new Set<Viewer>();
  readonly #pace = new Pace(ACCESS_INTERVAL_MS, () => this.#tellUntold());
  #nextDecision: NodeJS.Timeout | undefined;
  #watch: NodeJS.Timeout | undefined;

  constructor(viewers: Iterable<Viewer>, handlers: SessionInputHandlers) {
    this.#viewers = viewers;
    this.#handlers = handlers;
  }

  /** Forwards a viewer's input if it may pass; `bytes` is the event as received. */
  input(viewer: Viewer, event: InputEvent, bytes: Uint8Array): void {
    if (event.type === 'release') return this.#letGo(viewer);
    const now = performance.now();
    if (!this.takesPart(viewer, now)) return;
    const isPointer = event.type !== 'key' && event.type !== 'text';
    if (isPointer && !this.#hasPointer(viewer, now)) return;
    const held = this.#heldBy(viewer);
    if (!held.note(event)) return;
    if (isPointer) this.#drag = held.isDragging ? { viewer, movedAt: now } : null;
    this.#handlers.send(viewer.number, bytes);
    if (!this.#isNothingHeld()) this.#watch ??= setInterval(() => this.#check(), WATCH_INTERVAL_MS).unref();
  }

  /** Sets the session's clipboard to a viewer's content. */
  paste(viewer: Viewer, bytes: Uint8Array): void {
    if (this.takesPart(viewer)) this.#handlers.send(viewer.number, bytes);
  }

  /** Records activity of a viewer, which may take control from others; returns whether it has control now. */
  takesPart(viewer: Viewer, now = performance.now()): boolean {
    if (mayControl(viewer.access)) {
      const wasIdle = (preemptsUntil(viewer) ?? 0) <= now;
      viewer.inputAt = now;
      if (wasIdle) this.#decide();
    }
    return this.controls(viewer);
  }

  /** Whether a viewer has control now. */
  controls(viewer: Viewer): boolean {
    return this.#controllers.has(viewer);
  }

  /** The viewers who have control now. */
  get controllers(): readonly Viewer[] {
    return [...this.#controllers];
  }

  /** A viewer has joined; it is told at once what it may do. */
  joined(viewer: Viewer): void {
    this.#decide(viewer);
    this.#untold.delete(viewer);
    this.#tell(viewer);
  }

  /** The access of viewers has changed; they are told what they may do. */
  accessChanged(viewers: Iterable<Viewer>): void {
    for (const viewer of viewers) this.#untold.add(viewer);
    this.#decide();
    this.#pace.due();
  }

  left(viewer: Viewer): void {
    this.#letGo(viewer);
    this.#untold.delete(viewer);
    this.#decide();
  }

  /** Tells a viewer what it may do, soon. */
  tellAccess(viewer: Viewer): void {
    this.#untold.add(viewer);
    this.#pace.due();
  }

  /** The link was lost, whereupon the agent releases everything. */
  reset(): void {
    this.#held.clear();
    this.#drag = null;
    this.#rest();
  }

  stop(): void {
    this.reset();
    clearTimeout(this.#nextDecision);
    this.#pace.stop();
  }

  #tell(viewer: Viewer): void {
    viewer.tell(accessMessage(viewer.access, this.controls(viewer)));
  }

  /** Returns what it cost. */
  #tellUntold(): number {
    const { size } = this.#untold;
    for (const viewer of this.#untold) this.#tell(viewer);
    this.#untold.clear();
    return size;
  }

  /**
   * Decides who has control, now and whenever somebody becomes idle; those that lose it are told first. `told` is told
   * by the caller.
   */
  #decide(told?: Viewer): void {
    clearTimeout(this.#nextDecision);
    this.#nextDecision = undefined;
    const now = performance.now();
    const before = this.#controllers;
    const { controllers, until } = decideControl(this.#viewers, now);
    this.#controllers = controllers;
    if (until !== null && until !== Infinity) {
      const wait = Math.min(2 ** 31 - 1, Math.max(STEP_MS, Math.ceil(until - now)));
      this.#nextDecision = setTimeout(() => this.#decide(), wait).unref();
    }
    for (const viewer of before) {
      if (controllers.has(viewer)) continue;
      this.#letGo(viewer);
      this.#handlers.lostControl(viewer);
      this.#untold.add(viewer);
    }
    for (const viewer of controllers) if (!before.has(viewer) && viewer !== told) this.#untold.add(viewer);
    if (controllers.size !== before.size || [...controllers].some(viewer => !before.has(viewer)))
      this.#handlers.controllersChanged();
    if (this.#untold.size > 0) this.#pace.due();
  }

  /** Whether the viewer may move the pointer; ends another viewer's drag that appears abandoned. */
  #hasPointer(viewer: Viewer, now: number): boolean {
    if (this.#drag === null || this.#drag.viewer === viewer) return true;
    if (now - this.#drag.movedAt < DRAG_SILENCE_MS) return false;
    this.#letGo(this.#drag.viewer);
    return true;
  }

  #heldBy(viewer: Viewer): HeldInputs {
    let held = this.#held.get(viewer);
    if (held === undefined) this.#held.set(viewer, (held = new HeldInputs()));
    return held;
  }

  #isNothingHeld(): boolean {
    for (const held of this.#held.values()) if (!held.isEmpty) return false;
    return true;
  }

  /** Releases everything the viewer holds. */
  #letGo(viewer: Viewer): void {
    for (const event of this.#held.get(viewer)?.releases() ?? [])
      this.#handlers.send(viewer.number, encodeInput(event));
    this.#held.delete(viewer);
    if (this.#drag?.viewer === viewer) this.#drag = null;
    if (this.#isNothingHeld()) this.#rest();
  }

  #check(): void {
    const now = performance.now();
    for (const [viewer, held] of this.#held) {
      if (held.isEmpty) continue;
      if (now - viewer.heardAt > SILENCE_MS) this.#letGo(viewer);
      else viewer.ping();
    }
  }

  #rest(): void {
    clearInterval(this.#watch);
    this.#watch = undefined;
  }
}

type Pressed = Extract<InputEvent, { type: 'key' | 'button' }>;

const nameOf = (pressed: Pressed): string => (pressed.type === 'key' ? `k${pressed.keysym}` : `b${pressed.button}`);

/** What one viewer holds: keys, buttons, and touches of the screen. */
class HeldInputs {
  readonly #pressed = new Map<string, Pressed>();
  #position: { readonly x: number; readonly y: number } = { x: 0, y: 0 };
  #isTouching = false;

  get isEmpty(): boolean {
    return this.#pressed.size === 0 && !this.#isTouching;
  }

  /** Whether it holds a button, or touches the screen. */
  get isDragging(): boolean {
    if (this.#isTouching) return true;
    for (const { type } of this.#pressed.values()) if (type === 'button') return true;
    return false;
  }

  /** Records an input; false if it must not pass: too much is held, or a button is released that is not held. */
  note(event: Exclude<InputEvent, { type: 'release' }>): boolean {
    if (event.type === 'text') return true;
    if (event.type === 'touch') {
      this.#isTouching = event.points.length > 0;
      return true;
    }
    if (event.type !== 'key') this.#position = event;
    if (event.type === 'move' || event.type === 'wheel') return true;
    const name = nameOf(event);
    if (!event.down) return this.#pressed.delete(name) || event.type === 'key';
    if (!this.#pressed.has(name) && this.#pressed.size >= MAX_HELD) return false;
    this.#pressed.set(name, event);
    return true;
  }

  /** The inputs that release it. What another viewer holds too stays pressed: the display tracks who holds what. */
  releases(): InputEvent[] {
    const { x, y } = this.#position;
    const released = [...this.#pressed.values()].map((pressed): InputEvent =>
      pressed.type === 'key' ? { ...pressed, down: false } : { ...pressed, x, y, down: false },
    );
    return this.#isTouching ? [...released, { type: 'touch', phase: 'cancel', points: [] }] : released;
  }
}

import { listenUntil } from '../../lib/dom.js';
import type { Point } from '../../lib/geometry.js';
import type { InputSink } from './input-sink.js';
import { platformOf } from './key-translator.js';
import { MoveThrottle } from './move-throttle.js';
import { PinchSteps } from './pinch-steps.js';
import type { View } from '../view/view.js';
import { WHEEL_CLICK, wheelPixels, WholePixels } from './wheel.js';

const CONTROL = 0xffe3;

/** Browsers provide the non-standard `wheelDelta` as well. */
interface WheelClicks {
  readonly wheelDeltaX?: number;
  readonly wheelDeltaY?: number;
}

/** Sends mouse and pen input over the video. */
export class Pointer {
  /** Whether the session zooms its page when the wheel is turned with Ctrl held. */
  zooms = false;
  readonly #view: View;
  readonly #sink: InputSink;
  readonly #moves: MoveThrottle;
  readonly #listening = new AbortController();
  readonly #scrolled = { x: new WholePixels(), y: new WholePixels() };
  readonly #pinch = new PinchSteps();
  // eslint-disable-next-line @typescript-eslint/no-deprecated -- what is to replace it is in some browsers only
  readonly #clicks = new ControlClicks(platformOf(navigator.platform) === 'mac');
  #buttons = 0;
  #last: Point = { x: 0.5, y: 0.5 };

  constructor(view: View, sink: InputSink) {
    this.#view = view;
    this.#sink = sink;
    this.#moves = new MoveThrottle(point => sink.send({ type: 'move', ...point }));
    const listen = listenUntil(this.#listening.signal);
    const { stage } = view;
    // Raw updates arrive as the mouse moves; the others only once per frame.
    const moves = 'onpointerrawupdate' in stage ? ['pointerrawupdate', 'pointermove'] : ['pointermove'];
    for (const type of moves) listen<PointerEvent>(stage, type, event => this.#moved(event));
    for (const type of ['pointerdown', 'pointerup']) listen<PointerEvent>(stage, type, event => this.#pressed(event));
    for (const type of ['pointercancel', 'lostpointercapture']) listen(stage, type, () => this.#change(0, this.#last));
    for (const type of ['mousedown', 'mouseup', 'auxclick', 'contextmenu', 'dragstart', 'selectstart']) {
      listen(stage, type, event => event.preventDefault());
    }
    for (const type of ['keydown', 'keyup']) {
      listen<KeyboardEvent>(window, type, event => this.#pinch.note(event), { capture: true });
    }
    listen<WheelEvent>(stage, 'wheel', event => this.#wheel(event), { passive: false });
  }

  stop(): void {
    this.#change(0, this.#last);
    this.#moves.stop();
    this.#listening.abort();
  }

  #moved(event: PointerEvent): void {
    if (event.pointerType === 'touch') return;
    this.#pinch.note(event);
    const point = this.#view.pointOf(event);
    const { x, y } = point;
    if (x !== this.#last.x || y !== this.#last.y) this.#moves.add({ x, y }, performance.now());
    this.#last = { x, y };
    // Further buttons, pressed while one is held, are reported as moves.
    this.#change(this.#buttons === 0 ? 0 : this.#clicks.buttonsOf(event), point);
  }

  #pressed(event: PointerEvent): void {
    if (event.pointerType === 'touch') return;
    const point = this.#view.pointOf(event);
    if (event.type === 'pointerdown') {
      this.#view.focus();
      this.#view.placeKeys(event);
      if (!point.inside) return;
      this.#view.stage.setPointerCapture(event.pointerId);
    }
    this.#change(this.#clicks.buttonsOf(event), point);
  }

  #change(buttons: number, { x, y }: Point): void {
    const changes = buttonChanges(this.#buttons, buttons);
    this.#buttons = buttons;
    if (changes.length > 0) this.#moves.cancel();
    for (const change of changes) this.#sink.send({ type: 'button', ...change, x, y });
  }

  #wheel(event: WheelEvent & WheelClicks): void {
    event.preventDefault();
    const { x, y, inside } = this.#view.pointOf(event);
    if (!inside) return;
    if (this.#pinch.isPinch(event)) return this.#zoom(this.#pinch.add(event.deltaY, event.timeStamp), { x, y });
    const { deltaMode } = event;
    const rect = this.#view.pictureRect;
    const dx = this.#scrolled.x.add(wheelPixels(event.deltaX, deltaMode, rect.width, event.wheelDeltaX));
    const dy = this.#scrolled.y.add(wheelPixels(event.deltaY, deltaMode, rect.height, event.wheelDeltaY));
    if (dx !== 0 || dy !== 0) this.#sink.send({ type: 'wheel', dx, dy, x, y });
  }

  /** Zooms the page by steps, as with Ctrl and the wheel. */
  #zoom(steps: number, at: Point): void {
    if (!this.zooms || steps === 0) return;
    this.#sink.send({ type: 'key', down: true, keysym: CONTROL });
    this.#sink.send({ type: 'wheel', dx: 0, dy: -steps * WHEEL_CLICK, ...at });
    this.#sink.send({ type: 'key', down: false, keysym: CONTROL });
  }
}

/** On a Mac a click with Control held is one of the right button. */
export class ControlClicks {
  readonly #isMac: boolean;
  #isRight = false;

  constructor(isMac: boolean) {
    this.#isMac = isMac;
  }

  /** The buttons that are held, as in `PointerEvent.buttons`, after an event. */
  buttonsOf({ type, button, buttons, ctrlKey }: Pick<PointerEvent, 'type' | 'button' | 'buttons' | 'ctrlKey'>): number {
    if (type === 'pointerdown' && button === 0) this.#isRight = this.#isMac && ctrlKey;
    return this.#isRight && (buttons & 1) !== 0 ? (buttons & ~1) | 2 : buttons;
  }
}

/** Bits of `buttons`, by the protocol's button number. */
const BUTTON_BITS = [1, 4, 2, 8, 16];

/** Buttons pressed or released between two states of `PointerEvent.buttons`. */
export function buttonChanges(before: number, after: number): { button: number; down: boolean }[] {
  return BUTTON_BITS.flatMap((bit, button) =>
    (before & bit) === (after & bit) ? [] : [{ button, down: (after & bit) !== 0 }],
  );
}

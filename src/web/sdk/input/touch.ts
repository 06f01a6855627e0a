import { TOUCH_POINTS_MAX } from '../../../protocol/touch.js';
import { listenUntil } from '../../lib/dom.js';
import type { Point } from '../../lib/geometry.js';
import type { InputSink } from './input-sink.js';
import {
  HOLD_MS,
  touchStep,
  type Fingers,
  type SessionGestures,
  type TouchAction,
  type TouchInput,
  type TouchState,
} from './touch-gestures.js';
import type { View } from '../view/view.js';
import { WholePixels } from './wheel.js';

/** Sends touches on the video: as a pointer, or as gestures that the session supports. */
export class Touch {
  /** The gestures that the session supports. */
  gestures: SessionGestures = {};
  readonly #view: View;
  readonly #sink: InputSink;
  readonly #listening = new AbortController();
  /** Small numbers for touches: the browser's identifiers can be arbitrarily large. */
  readonly #slots = new Map<number, number>();
  readonly #scrolled = { x: new WholePixels(), y: new WholePixels() };
  #state: TouchState = { type: 'idle' };
  #hold: ReturnType<typeof setTimeout> | undefined;
  #last: Point = { x: 0, y: 0 };

  constructor(view: View, sink: InputSink) {
    this.#view = view;
    this.#sink = sink;
    const listen = listenUntil(this.#listening.signal);
    const on = (event: string, type: 'down' | 'move' | 'up') =>
      listen<PointerEvent>(view.stage, event, ({ pointerType, pointerId, clientX, clientY, timeStamp }) => {
        if (pointerType !== 'touch') return;
        this.#step({ type, finger: pointerId, at: { x: clientX, y: clientY }, time: timeStamp });
      });
    on('pointerdown', 'down');
    on('pointermove', 'move');
    on('pointerup', 'up');
    listen<PointerEvent>(view.stage, 'pointercancel', ({ pointerType }) => {
      if (pointerType === 'touch') this.#step({ type: 'cancel' });
    });
  }

  stop(): void {
    this.#step({ type: 'cancel' });
    this.#listening.abort();
  }

  #step(input: TouchInput): void {
    const { state, actions } = touchStep(this.#state, input, this.gestures);
    if (state !== this.#state) {
      clearTimeout(this.#hold);
      if (state.type === 'pressed') this.#hold = setTimeout(() => this.#step({ type: 'hold' }), HOLD_MS);
    }
    this.#state = state;
    for (const action of actions) this.#act(action);
  }

  #act(action: TouchAction): void {
    if (action.type === 'swipe') return this.#sink.swipe(action.direction);
    if (action.type === 'touch')
      return this.#sink.send({ type: 'touch', phase: action.phase, points: this.#points(action.fingers) });
    this.#last = action.at ?? this.#last;
    const { x, y } = this.#placeOf(this.#last);
    if (action.type === 'move') this.#sink.send({ type: 'move', x, y });
    else if (action.type === 'button')
      this.#sink.send({ type: 'button', button: action.button, down: action.down, x, y });
    else this.#scroll(action.dx * this.#view.scale, action.dy * this.#view.scale, { x, y });
  }

  #scroll(x: number, y: number, at: Point): void {
    const dx = this.#scrolled.x.add(x);
    const dy = this.#scrolled.y.add(y);
    if (dx !== 0 || dy !== 0) this.#sink.send({ type: 'wheel', dx, dy, ...at });
  }

  #placeOf(at: Point): Point {
    return this.#view.pointOf({ clientX: at.x, clientY: at.y });
  }

  #points(fingers: Fingers) {
    for (const finger of this.#slots.keys()) if (!fingers.has(finger)) this.#slots.delete(finger);
    return [...fingers].slice(0, TOUCH_POINTS_MAX).map(([finger, at]) => {
      const { x, y } = this.#placeOf(at);
      return { id: this.#slotOf(finger), x, y };
    });
  }

  #slotOf(finger: number): number {
    const used = new Set(this.#slots.values());
    let slot = this.#slots.get(finger) ?? 0;
    if (!this.#slots.has(finger)) while (used.has(slot)) slot++;
    this.#slots.set(finger, slot);
    return slot;
  }
}

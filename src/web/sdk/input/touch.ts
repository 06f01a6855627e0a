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

/** How long the viewer's phone vibrates when a finger has rested long enough, ms. */
const HELD_MS = 15;

/** Sends touches on the video: as they are, as a pointer and wheel, or as gestures; zooms the picture. */
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
  #frame = 0;
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
    this.#view.held = state.type === 'held' ? state.at : null;
    for (const action of actions) this.#act(action);
    cancelAnimationFrame(this.#frame);
    if (state.type === 'flinging') this.#frame = requestAnimationFrame(time => this.#step({ type: 'frame', time }));
  }

  #act(action: TouchAction): void {
    switch (action.type) {
      case 'swipe':
        return this.#sink.swipe(action.direction);
      case 'touch':
        if (action.phase === 'start') for (const at of action.fingers.values()) this.#typesAt(at);
        return this.#sink.send({ type: 'touch', phase: action.phase, points: this.#points(action.fingers) });
      case 'held':
        return void navigator.vibrate?.(HELD_MS);
      case 'zoom':
        return this.#view.zoomBy(action.factor, action.from, action.to);
      case 'toggleZoom':
        return this.#view.toggleZoom(action.at);
      case 'scroll':
        return this.#scroll(action);
      case 'move':
        this.#last = action.at;
        return this.#sink.send({ type: 'move', ...this.#placeOf(action.at) });
      case 'button': {
        const { button, down } = action;
        this.#last = action.at ?? this.#last;
        if (down) this.#typesAt(this.#last);
        return this.#sink.send({ type: 'button', button, down, ...this.#placeOf(this.#last) });
      }
    }
  }

  #scroll({ dx, dy, at }: Extract<TouchAction, { type: 'scroll' }>): void {
    const { scale } = this.#view;
    const [x, y] = [this.#scrolled.x.add(dx * scale), this.#scrolled.y.add(dy * scale)];
    if (x !== 0 || y !== 0) this.#sink.send({ type: 'wheel', dx: x, dy: y, ...this.#placeOf(at) });
  }

  /** Text is typed where somebody touched last. */
  #typesAt({ x, y }: Point): void {
    this.#view.placeKeys({ clientX: x, clientY: y });
  }

  #placeOf(at: Point): Point {
    const { x, y } = this.#view.pointOf({ clientX: at.x, clientY: at.y });
    return { x, y };
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

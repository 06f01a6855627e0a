import { listenUntil } from './dom.js';
import type { Point } from './geometry.js';
import type { InputSink } from './input-sink.js';
import { HOLD_MS, touchStep, type TouchAction, type TouchInput, type TouchState } from './touch-gestures.js';
import type { View } from './view.js';

/** Sends what fingers do on the picture, as a pointer. */
export class Touch {
  readonly #view: View;
  readonly #sink: InputSink;
  readonly #listening = new AbortController();
  #state: TouchState = { is: 'idle' };
  #hold: ReturnType<typeof setTimeout> | undefined;
  #last: Point = { x: 0, y: 0 };

  constructor(view: View, sink: InputSink) {
    this.#view = view;
    this.#sink = sink;
    const listen = listenUntil(this.#listening.signal);
    const on = (event: string, type: 'down' | 'move' | 'up') =>
      listen<PointerEvent>(view.stage, event, ({ pointerType, pointerId, clientX, clientY }) => {
        if (pointerType === 'touch') this.#step({ type, finger: pointerId, at: { x: clientX, y: clientY } });
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
    const { state, actions } = touchStep(this.#state, input);
    if (state !== this.#state) {
      clearTimeout(this.#hold);
      if (state.is === 'pressed') this.#hold = setTimeout(() => this.#step({ type: 'hold' }), HOLD_MS);
    }
    this.#state = state;
    for (const action of actions) this.#act(action);
  }

  #act(action: TouchAction): void {
    this.#last = action.at ?? this.#last;
    const { x, y } = this.#view.pointOf({ clientX: this.#last.x, clientY: this.#last.y });
    if (action.type === 'move') this.#sink.input({ type: 'move', x, y });
    else if (action.type === 'button') this.#sink.input({ type: 'button', button: action.button, down: action.down, x, y });
    else this.#sink.input({ type: 'wheel', dx: action.dx * this.#view.scale, dy: action.dy * this.#view.scale, x, y });
  }
}

import type { ConsoleKind, Seats } from '../../../protocol/generated/schemas.js';
import type { InputEvent } from '../../../protocol/input.js';
import { encodePad } from '../../../protocol/pad.js';
import { listenUntil } from '../../lib/dom.js';
import type { View } from '../view/view.js';
import { defaultBindings, type Bindings } from '../../controls/bindings.js';
import { controlsOf, type Control } from '../../controls/controls.js';
import { Gamepads, padStateOf } from '../../controls/gamepad.js';
import { KeyPad } from './key-pad.js';
import { laidOut, type GamepadLayouts } from '../../controls/gamepad-layout.js';
import { AT_REST, merged, steps, type PadState } from '../../controls/pad-state.js';
import { TouchPad } from './touch/touch-pad.js';

/** When a player sees the on-screen pad: `auto` if touch is the main input. */
export type TouchPadOption = 'auto' | 'on' | 'off';

/** How a viewer plays its seats: by which keys and gamepad inputs, and the on-screen pad. */
export interface ConsoleControls {
  /** The keys and gamepad inputs of each control of the console, by the control's ID; settable. */
  bindings: Bindings;
  /** Where gamepads that the browser does not know have their buttons, by the gamepads' `id`; settable. */
  gamepadLayouts: GamepadLayouts;
  /** While true, nothing is pressed, whatever the user presses: for a dialog that waits for a key. */
  isPaused: boolean;
  /** Whether the on-screen pad is wanted; it is shown only to viewers with a seat. */
  touchPad: TouchPadOption;
  /** Whether the on-screen pad is there now. */
  readonly isTouchPadShown: boolean;
}

/**
 * The pads of one viewer of a console. The keyboard, the on-screen pad and the first gamepad play the viewer's first
 * seat, each further gamepad the next one.
 */
export class ConsolePads implements ConsoleControls {
  readonly #send: (message: Uint8Array) => void;
  readonly #controls: readonly Control[];
  readonly #keys: KeyPad;
  readonly #touch: TouchPad;
  readonly #gamepads: Gamepads;
  readonly #isTouch = matchMedia('(pointer: coarse)');
  readonly #listening = new AbortController();
  readonly #sent = new Map<number, PadState>();
  /** Numbers of this viewer's pads, from 0. */
  #own: readonly number[] = [];
  #userId: string | null = null;
  #bindings: Bindings;
  #gamepadLayouts: GamepadLayouts = {};
  #wanted: TouchPadOption;
  #isPaused = false;

  constructor(kind: ConsoleKind, view: View, touchPad: TouchPadOption, send: (message: Uint8Array) => void) {
    this.#send = send;
    this.#wanted = touchPad;
    this.#controls = controlsOf(kind);
    this.#bindings = defaultBindings(kind);
    this.#keys = new KeyPad(this.#controls, this.#bindings);
    this.#touch = new TouchPad(view, kind, () => this.#update());
    this.#gamepads = new Gamepads(() => this.#update());
    // Nothing is typed into a console: a phone's keyboard would only cover it.
    view.keys.inputMode = 'none';
    listenUntil(this.#listening.signal)(this.#isTouch, 'change', () => this.#showTouch());
  }

  get bindings(): Bindings {
    return this.#bindings;
  }

  set bindings(bindings: Bindings) {
    this.#bindings = bindings;
    this.#keys.bindings = bindings;
    this.#update();
  }

  get gamepadLayouts(): GamepadLayouts {
    return this.#gamepadLayouts;
  }

  set gamepadLayouts(layouts: GamepadLayouts) {
    this.#gamepadLayouts = layouts;
    this.#update();
  }

  get isPaused(): boolean {
    return this.#isPaused;
  }

  set isPaused(isPaused: boolean) {
    this.#isPaused = isPaused;
    this.#update();
  }

  get touchPad(): TouchPadOption {
    return this.#wanted;
  }

  set touchPad(wanted: TouchPadOption) {
    this.#wanted = wanted;
    this.#showTouch();
  }

  get isTouchPadShown(): boolean {
    return this.#touch.shown;
  }

  /** The players that this viewer plays, from 1, in the order of its gamepads. */
  get players(): number[] {
    return this.#own.map(player => player + 1);
  }

  /** Handles keyboard input; all other input is irrelevant to a console. */
  input(event: InputEvent): void {
    if (this.#keys.handle(event)) this.#update();
  }

  /** The seats have changed. */
  seat({ seats }: Pick<Seats, 'seats'>, userId: string | null): void {
    this.#own = seats.flatMap(({ player, user_id }) => (user_id !== null && user_id === userId ? [player - 1] : []));
    // The service releases what was held on a seat when its holder changes or leaves.
    if (userId !== this.#userId) this.#sent.clear();
    this.#userId = userId;
    for (const player of this.#sent.keys()) if (!this.#own.includes(player)) this.#sent.delete(player);
    this.#showTouch();
    this.#update();
  }

  stop(): void {
    this.#listening.abort();
    this.#gamepads.stop();
    this.#touch.stop();
  }

  #showTouch(): void {
    const isWanted = this.#wanted === 'on' || (this.#wanted === 'auto' && this.#isTouch.matches);
    this.#touch.shown = isWanted && this.#own.length > 0;
  }

  #update(): void {
    const [first, ...further] = this.#gamepads.all.map(pad =>
      padStateOf(laidOut(pad, this.#gamepadLayouts), this.#controls, this.#bindings),
    );
    const states = this.#isPaused ? [] : [merged([this.#keys.state, this.#touch.state, first ?? AT_REST]), ...further];
    this.#own.forEach((player, i) => this.#move(player, states[i] ?? AT_REST));
  }

  #move(player: number, to: PadState): void {
    for (const step of steps(this.#sent.get(player) ?? AT_REST, to))
      this.#send(encodePad({ type: 'pad', player, ...step }));
    this.#sent.set(player, to);
  }
}

import type { Seats } from '../../../protocol/generated/schemas.js';
import type { InputEvent } from '../../../protocol/input.js';
import { encodePad } from '../../../protocol/pad.js';
import { Gamepads } from './gamepad.js';
import { keyMapOf } from './key-map.js';
import { KeyPad } from './key-pad.js';
import { AT_REST, merged, steps, type PadState } from './pad-state.js';

/**
 * The pads of one viewer of a console. The keyboard and the first gamepad play the viewer's first seat, each further
 * gamepad the next one.
 */
export class ConsolePads {
  readonly #send: (message: Uint8Array) => void;
  readonly #keys: KeyPad;
  readonly #gamepads = new Gamepads(() => this.#update());
  readonly #sent = new Map<number, PadState>();
  /** Numbers of the pads that this viewer has, from 0. */
  #own: readonly number[] = [];

  constructor(kind: string, send: (message: Uint8Array) => void) {
    this.#keys = new KeyPad(keyMapOf(kind));
    this.#send = send;
  }

  /** Takes input of the keyboard; all other is nothing for a console. */
  input(event: InputEvent): void {
    if (this.#keys.take(event)) this.#update();
  }

  /** Who plays has changed. */
  seat({ seats }: Pick<Seats, 'seats'>, userId: string | null): void {
    this.#own = seats.flatMap(({ player, user_id }) => (user_id !== null && user_id === userId ? [player - 1] : []));
    // The service lets go of what was held on a seat that changes hands.
    for (const player of this.#sent.keys()) if (!this.#own.includes(player)) this.#sent.delete(player);
    this.#update();
  }

  stop(): void {
    this.#gamepads.stop();
  }

  #update(): void {
    const [first, ...further] = this.#gamepads.states;
    const hands = [merged([this.#keys.state, first ?? AT_REST]), ...further];
    this.#own.forEach((player, i) => this.#move(player, hands[i] ?? AT_REST));
  }

  #move(player: number, to: PadState): void {
    for (const step of steps(this.#sent.get(player) ?? AT_REST, to)) this.#send(encodePad({ type: 'pad', player, ...step }));
    this.#sent.set(player, to);
  }
}

import { connectedGamepads } from '../../../controls/gamepad.js';
import { notice } from '../notice.js';
import { say } from '../../../languages/page.js';

export interface GamepadNoticeHandlers {
  /** The players that this viewer plays, in the order of its gamepads. */
  players(): readonly number[];
  /** Whether it is not known where a gamepad has its buttons. */
  isUnknown(gamepad: Gamepad): boolean;
  setUp(gamepad: Gamepad): void;
  show(note: HTMLElement): void;
  takeSeat(): void;
}

/**
 * Announces what a newly connected gamepad plays, and that one was disconnected; each announcement replaces the last.
 */
export class GamepadNotices {
  readonly #handlers: GamepadNoticeHandlers;
  #note: HTMLElement | null = null;

  constructor(handlers: GamepadNoticeHandlers) {
    this.#handlers = handlers;
    addEventListener('gamepadconnected', ({ gamepad }) => this.announce(gamepad));
    addEventListener('gamepaddisconnected', () => this.#replace(notice(say('gamepadUnplugged'))));
  }

  /** Announces what a gamepad plays, or that it has to be set up. */
  announce(gamepad: Gamepad): void {
    const { players, isUnknown, setUp, takeSeat } = this.#handlers;
    if (isUnknown(gamepad))
      return this.#replace(notice(say('gamepadUnknown'), { name: say('setUp'), act: () => setUp(gamepad) }));
    const place = connectedGamepads().findIndex(({ index }) => index === gamepad.index);
    const player = players()[Math.max(0, place)];
    const action = { name: say('takeSeat'), act: takeSeat };
    this.#replace(player === undefined ? notice(pluggedIn(player), action) : notice(pluggedIn(player)));
  }

  #replace(note: HTMLElement): void {
    this.#note?.remove();
    this.#note = note;
    this.#handlers.show(note);
  }
}

/** The announcement for a gamepad that plays this player, or none yet. */
export const pluggedIn = (player: number | undefined): string =>
  player === undefined ? say('gamepadWithoutSeat') : say('gamepadPlays', { number: player });

import { connectedGamepads } from '../../../controls/gamepad.js';
import { notice } from '../notice.js';

export interface GamepadNoticeHandlers {
  /** The players that this viewer plays, in the order of its gamepads. */
  players(): readonly number[];
  show(note: HTMLElement): void;
  takeSeat(): void;
}

/**
 * Announces what a newly connected gamepad plays, and that one was disconnected; each announcement replaces the last.
 */
export class GamepadNotices {
  readonly #show: (note: HTMLElement) => void;
  #note: HTMLElement | null = null;

  constructor({ players, show, takeSeat }: GamepadNoticeHandlers) {
    this.#show = show;
    addEventListener('gamepadconnected', event => {
      const place = connectedGamepads().findIndex(({ index }) => index === event.gamepad.index);
      const player = players()[Math.max(0, place)];
      const action = { name: 'Take a seat', act: takeSeat };
      this.#replace(player === undefined ? notice(pluggedIn(player), action) : notice(pluggedIn(player)));
    });
    addEventListener('gamepaddisconnected', () => this.#replace(notice('A gamepad was unplugged.')));
  }

  #replace(note: HTMLElement): void {
    this.#note?.remove();
    this.#note = note;
    this.#show(note);
  }
}

/** The announcement for a gamepad that plays this player, or none yet. */
export const pluggedIn = (player: number | undefined): string =>
  player === undefined
    ? 'A gamepad was plugged in, but there is no seat for it.'
    : `A gamepad was plugged in: it plays player ${player}.`;

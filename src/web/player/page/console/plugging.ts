import { connectedGamepads } from '../../../sdk/pad/gamepad.js';
import type { NoticeAction } from '../notice.js';

export interface PluggingHandlers {
  /** The players that this viewer plays, in the order in which its gamepads play them. */
  players(): readonly number[];
  /** Shows a sentence, and a button that does something about it. */
  tell(sentence: string, action?: NoticeAction): void;
  takeSeat(): void;
}

/** Says what a gamepad that is plugged in plays, and that one is gone. */
export class Plugging {
  constructor({ players, tell, takeSeat }: PluggingHandlers) {
    addEventListener('gamepadconnected', event => {
      const place = connectedGamepads().findIndex(({ index }) => index === event.gamepad.index);
      const player = players()[Math.max(0, place)];
      if (player === undefined) tell(pluggedIn(player), { name: 'Take a seat', act: takeSeat });
      else tell(pluggedIn(player));
    });
    addEventListener('gamepaddisconnected', () => tell('A gamepad was unplugged.'));
  }
}

/** What a viewer is told of a gamepad that plays this player, or none yet. */
export const pluggedIn = (player: number | undefined): string =>
  player === undefined ? 'A gamepad was plugged in, but there is no seat for it.' : `A gamepad was plugged in: it plays player ${player}.`;

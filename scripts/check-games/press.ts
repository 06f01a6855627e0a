import { setTimeout as sleep } from 'node:timers/promises';
import { encodePad, PadButton } from '../../src/protocol/pad.js';
import type { Looks } from './looks.js';
import type { GameSession } from './session.js';

export const PRESSED = ['start', 'a', 'b', 'right', 'down'] as const;
const HOLD_MS = 100;

/**
 * Presses each button, and looks while it is held: some programs show something only then. Presses nothing once the
 * session has ended.
 */
export async function press(session: Pick<GameSession, 'ended' | 'viewer'>, looks: Pick<Looks, 'take'>): Promise<void> {
  for (const button of PRESSED) {
    if (session.ended !== null) return;
    const turn = (down: boolean) =>
      session.viewer.send(encodePad({ type: 'pad', player: 0, control: 'button', id: PadButton[button], down }));
    turn(true);
    await sleep(HOLD_MS);
    await looks.take();
    turn(false);
    await sleep(HOLD_MS);
  }
}

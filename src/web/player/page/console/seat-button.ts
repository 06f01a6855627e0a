import { element } from '../../../lib/dom.js';
import type { Seat } from '../../../sdk/index.js';
import { listed, say } from '../../../languages/page.js';

/** Shows which player this viewer is, and takes or leaves a seat. */
export class SeatButton {
  readonly element = element('button', { type: 'button', className: 'seat' });
  #isSeated = false;

  /** @param change called when the viewer wants to take or leave a seat */
  constructor(change: (to: 'takeSeat' | 'leaveSeat') => void) {
    this.element.addEventListener('pointerdown', event => event.preventDefault());
    this.element.onclick = () => change(this.#isSeated ? 'leaveSeat' : 'takeSeat');
  }

  /** @param own the players that this viewer plays */
  show(seats: readonly Seat[], own: readonly number[]): void {
    const isFull = seats.every(({ userId }) => userId !== null);
    this.#isSeated = own.length > 0;
    this.element.textContent = this.#isSeated
      ? say('player', { number: listed(own.map(String)) })
      : say(isFull ? 'watching' : 'joinGame');
    this.element.title = say(this.#isSeated ? 'leaveGame' : isFull ? 'seatsTaken' : 'takeFreeSeat');
    this.element.disabled = !this.#isSeated && isFull;
  }
}

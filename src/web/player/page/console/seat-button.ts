import type { Seat } from '../../../../protocol/generated/schemas.js';
import { element } from '../../../lib/dom.js';

/** Shows which player this viewer is, and takes or leaves a seat. */
export class SeatButton {
  readonly element = element('button', { type: 'button', className: 'seat' });
  #isSeated = false;

  constructor(call: (method: 'takeSeat' | 'leaveSeat', args: []) => void) {
    this.element.addEventListener('pointerdown', event => event.preventDefault());
    this.element.onclick = () => call(this.#isSeated ? 'leaveSeat' : 'takeSeat', []);
  }

  show(seats: readonly Seat[], userId: string | null): void {
    const own = seats.filter(({ user_id }) => user_id !== null && user_id === userId).map(({ player }) => player);
    const isFull = seats.every(({ user_id }) => user_id !== null);
    this.#isSeated = own.length > 0;
    this.element.textContent = this.#isSeated ? `Player ${own.join(' and ')}` : isFull ? 'Watching' : 'Join the game';
    this.element.title = this.#isSeated
      ? 'Leave the game, and watch'
      : isFull
        ? 'All seats are taken'
        : 'Take a free seat';
    this.element.disabled = !this.#isSeated && isFull;
  }
}

import type { Client } from 'openapi-fetch';
import type { paths } from '../protocol/generated/openapi.js';
import { answer } from './answer.js';
import type { Seat } from './types.js';

/** The game of a console, and who plays it. Every method rejects with a BerthError where the service answers an error. */
export class ConsoleClient {
  readonly #calls: Client<paths>;
  readonly #params: { path: { session_id: string } };

  constructor(calls: Client<paths>, sessionId: string) {
    this.#calls = calls;
    this.#params = { path: { session_id: sessionId } };
  }

  /**
   * Saves the game's state; resolves when it is kept.
   * @param slot from 0 to 9
   */
  async saveState(slot: number): Promise<void> {
    answer(await this.#calls.POST('/s/{session_id}/console.saveState', { params: this.#params, body: [slot] }));
  }

  /**
   * Goes on with a saved state.
   * @param slot from 0 to 9
   */
  async loadState(slot: number): Promise<void> {
    answer(await this.#calls.POST('/s/{session_id}/console.loadState', { params: this.#params, body: [slot] }));
  }

  /** Pauses the game, or lets it go on. */
  async pause(on: boolean): Promise<void> {
    answer(await this.#calls.POST('/s/{session_id}/console.pause', { params: this.#params, body: [on] }));
  }

  /** Plays the game as fast as it can be, or as fast as it is meant. */
  async fastForward(on: boolean): Promise<void> {
    answer(await this.#calls.POST('/s/{session_id}/console.fastForward', { params: this.#params, body: [on] }));
  }

  /** Presses the console's reset button. */
  async reset(): Promise<void> {
    answer(await this.#calls.POST('/s/{session_id}/console.reset', { params: this.#params, body: [] }));
  }

  /** Gives a player's seat, 1 to 4, to a user, or frees it with null; resolves with all seats. */
  async assignSeat(player: number, userId: string | null): Promise<Seat[]> {
    return answer(await this.#calls.POST('/s/{session_id}/seats', { params: this.#params, body: [player, userId] }));
  }
}

import type { Client } from 'openapi-fetch';
import type { paths } from '../protocol/generated/openapi.js';
import { answer } from './answer.js';
import type { ConsoleClient } from './console-types.js';
import type { SessionSeat } from './types.js';

/** Controls a console through its session's address. */
export class RemoteConsole implements ConsoleClient {
  readonly #calls: Client<paths>;
  readonly #params: { path: { session_id: string } };

  constructor(calls: Client<paths>, sessionId: string) {
    this.#calls = calls;
    this.#params = { path: { session_id: sessionId } };
  }

  async saveState(slot: number): Promise<void> {
    answer(await this.#calls.POST('/s/{session_id}/console.saveState', { params: this.#params, body: [slot] }));
  }

  async loadState(slot: number): Promise<void> {
    answer(await this.#calls.POST('/s/{session_id}/console.loadState', { params: this.#params, body: [slot] }));
  }

  async pause(on: boolean): Promise<void> {
    answer(await this.#calls.POST('/s/{session_id}/console.pause', { params: this.#params, body: [on] }));
  }

  async fastForward(on: boolean): Promise<void> {
    answer(await this.#calls.POST('/s/{session_id}/console.fastForward', { params: this.#params, body: [on] }));
  }

  async reset(): Promise<void> {
    answer(await this.#calls.POST('/s/{session_id}/console.reset', { params: this.#params, body: [] }));
  }

  async assignSeat(player: number, userId: string | null): Promise<SessionSeat[]> {
    return answer(await this.#calls.POST('/s/{session_id}/seats', { params: this.#params, body: [player, userId] }));
  }
}

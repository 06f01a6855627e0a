import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { isDiskFull } from './disk-full.js';
import type { Log } from '../lib/log.js';
import { RomProblem } from './rom/problem.js';
import { SerialQueue } from '../../lib/serial-queue.js';

export interface GameReceiverOptions {
  /** The file that the game is written to. */
  readonly file: string;
  /** Whether the game is there already. */
  readonly isThere?: boolean;
  /** Prepares the received file. `name` is the file name from its address; `ended` aborts when the game is over. */
  readonly prepare: (name: string, ended: AbortSignal) => Promise<void>;
  readonly log: Log;
  /** The game must be sent again. */
  readonly missing: () => void;
  /** What was sent cannot be played. */
  readonly unplayable: (reason: string) => void;
}

const TOO_LARGE = 'The game is larger than the space that a session has for games.';

/** A sender that is silent for this long is considered gone, ms. */
const SILENCE_MS = 30_000;

type State =
  | { type: 'empty' }
  | { type: 'taking' }
  | { type: 'there' }
  | { type: 'unplayable'; problem: RomProblem }
  | { type: 'closed' };

/** Receives a console's game, once: whoever sends it meanwhile or again gets the same result. */
export class GameReceiver {
  readonly #options: GameReceiverOptions;
  readonly #queue = new SerialQueue();
  readonly #closed = new AbortController();
  #state: State;

  constructor(options: GameReceiverOptions) {
    this.#options = options;
    this.#state = { type: options.isThere ? 'there' : 'empty' };
  }

  /** Whether the game has not arrived, and nobody is sending it. */
  get isEmpty(): boolean {
    return this.#state.type === 'empty';
  }

  /** Receives the game. Resolves when it is ready. @throws RomProblem if it cannot be played, which is final */
  take(content: Readable, name: string): Promise<void> {
    // A sender that waits for another one continues if that one fails.
    return this.#queue.run(async () => {
      if (this.#state.type === 'empty') return this.#take(content, name);
      content.resume();
      if (this.#state.type === 'unplayable') throw this.#state.problem;
    });
  }

  /** Refuses everything from now on. */
  close(): void {
    this.#state = { type: 'closed' };
    this.#closed.abort();
  }

  async #take(content: Readable, name: string): Promise<void> {
    const { missing, unplayable } = this.#options;
    this.#state = { type: 'taking' };
    try {
      await this.#receive(content);
      await this.#prepare(name);
      this.#become({ type: 'there' });
    } catch (error) {
      if (error instanceof RomProblem) {
        if (this.#become({ type: 'unplayable', problem: error })) unplayable(error.message);
      } else if (this.#become({ type: 'empty' })) missing();
      throw error;
    }
  }

  /** @throws RomProblem if there is no space for it; after any other error it can be sent again */
  async #receive(content: Readable): Promise<void> {
    const { file } = this.#options;
    const silent = new AbortController();
    const timer = setTimeout(() => silent.abort(), SILENCE_MS);
    content.on('data', () => timer.refresh());
    try {
      await pipeline(content, createWriteStream(file), {
        signal: AbortSignal.any([silent.signal, this.#closed.signal]),
      });
    } catch (error) {
      await rm(file, { force: true });
      throw isDiskFull(error) ? new RomProblem(TOO_LARGE) : error;
    } finally {
      clearTimeout(timer);
    }
  }

  /** @throws RomProblem */
  async #prepare(name: string): Promise<void> {
    const { prepare, log } = this.#options;
    try {
      await prepare(name, this.#closed.signal);
    } catch (error) {
      if (error instanceof RomProblem) throw error;
      if (isDiskFull(error)) throw new RomProblem(TOO_LARGE);
      log.warn('game not prepared', { error: String(error) });
      throw new RomProblem('The game could not be unpacked.');
    }
  }

  /** Changes the state unless it is closed; returns whether it did. */
  #become(state: State): boolean {
    if (this.#state.type === 'closed') return false;
    this.#state = state;
    return true;
  }
}

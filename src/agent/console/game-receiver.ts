import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { isDiskFull } from './disk-full.js';
import type { Log } from '../log.js';
import { RomProblem } from './rom/problem.js';
import { SerialQueue } from './serial-queue.js';

export interface GameReceiverOptions {
  /** Where the game is written to as it comes. */
  readonly file: string;
  /** Whether the game is there already. */
  readonly isThere?: boolean;
  /** Makes ready what came. `name` is what its address calls it; `ended` aborts when nobody plays it any more. */
  readonly prepare: (name: string, ended: AbortSignal) => Promise<void>;
  readonly log: Log;
  /** The game must be sent again. */
  readonly missing: () => void;
  /** What was sent cannot be played. */
  readonly unplayable: (reason: string) => void;
}

const TOO_LARGE = 'The game is larger than the room that a session has for one.';

/** A sender that sends nothing for so long is gone, ms. */
const SILENCE_MS = 30_000;

type State =
  { is: 'empty' } | { is: 'taking' } | { is: 'there' } | { is: 'unplayable'; problem: RomProblem } | { is: 'closed' };

/** Takes a console's game in, once: whoever sends it meanwhile or again hears what became of it. */
export class GameReceiver {
  readonly #options: GameReceiverOptions;
  readonly #queue = new SerialQueue();
  readonly #closed = new AbortController();
  #state: State;

  constructor(options: GameReceiverOptions) {
    this.#options = options;
    this.#state = { is: options.isThere ? 'there' : 'empty' };
  }

  /** Whether the game has not come, and nobody sends it. */
  get isEmpty(): boolean {
    return this.#state.is === 'empty';
  }

  /** Takes the game. Resolves when it is there. @throws RomProblem where it cannot be played, which is the end */
  take(content: Readable, name: string): Promise<void> {
    // Who sends it while another does goes on where that one fails.
    return this.#queue.run(async () => {
      if (this.#state.is === 'empty') return this.#take(content, name);
      content.resume();
      if (this.#state.is === 'unplayable') throw this.#state.problem;
    });
  }

  /** Takes in nothing any more. */
  close(): void {
    this.#state = { is: 'closed' };
    this.#closed.abort();
  }

  async #take(content: Readable, name: string): Promise<void> {
    const { missing, unplayable } = this.#options;
    this.#state = { is: 'taking' };
    try {
      await this.#receive(content);
      await this.#prepare(name);
      this.#become({ is: 'there' });
    } catch (error) {
      if (error instanceof RomProblem) {
        if (this.#become({ is: 'unplayable', problem: error })) unplayable(error.message);
      } else if (this.#become({ is: 'empty' })) missing();
      throw error;
    }
  }

  /** @throws RomProblem where there is no room for it; whatever else happens, it can be sent again */
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

  /** Whether it has become that; after the end nothing becomes of it. */
  #become(state: State): boolean {
    if (this.#state.is === 'closed') return false;
    this.#state = state;
    return true;
  }
}

import { isDeepStrictEqual } from 'node:util';
import type { Discs } from '../../protocol/generated/schemas.js';
import { MOST_DISCS } from '../../protocol/console.js';
import { CallFailure } from '../link/calls.js';
import { ask } from './commands.js';
import type { DiscInside, EmulatorRun } from './emulator.js';

/** The port of the core that changes discs (images/console/psx). */
const PORT = 55356;

/** How often the core is asked, which answers once a frame. */
const TRIES = 5;

/** Tells the core to put in another disc, or only asks which one is inside; null: it does not answer. */
export async function askCore(disc?: number): Promise<DiscInside | null> {
  const answer = await ask(disc === undefined ? 'DISC' : `DISC ${disc}`, PORT);
  const [, inside, count] = /^DISC (\d+) (\d+)$/.exec(answer ?? '') ?? [];
  return inside === undefined ? null : { disc: Number(inside), count: Number(count) };
}

/** The discs of a game that has several, and which one is inside. */
export class GameDiscs {
  readonly #changed: (discs: Discs) => void;
  #current: Discs | undefined;

  constructor(changed: (discs: Discs) => void) {
    this.#changed = changed;
  }

  /** Undefined: the game has one disc, or none, or has not begun. */
  get current(): Discs | undefined {
    return this.#current;
  }

  /** Looks which disc is inside; `labels` are those of the game's files. Never rejects. */
  async look(run: EmulatorRun, labels: readonly string[]): Promise<void> {
    const inside = await answerOf(run);
    if (inside !== null) this.#note(inside, labels);
  }

  /** Puts in a disc, from 1; resolves when it is inside. @throws CallFailure */
  async change(run: EmulatorRun, disc: number, labels: readonly string[]): Promise<void> {
    const { labels: known } = this.several();
    if (!Number.isInteger(disc) || disc < 1 || disc > known.length)
      throw new CallFailure('invalid_arguments', `The disc must be a whole number from 1 to ${known.length}.`);
    const inside = await answerOf(run, disc);
    if (inside !== null) this.#note(inside, labels);
    if (inside?.disc !== disc)
      throw new CallFailure('disc_not_changed', 'The emulator did not change the disc; try again.');
  }

  /** @throws CallFailure if the game does not have several */
  several(): Discs {
    if (this.#current !== undefined) return this.#current;
    throw new CallFailure('one_disc', 'This game has no other disc.');
  }

  #note({ disc, count }: DiscInside, labels: readonly string[]): void {
    if (count < 2) return;
    const shown = Math.min(count, MOST_DISCS);
    const named = labels.length === count ? labels : Array.from({ length: count }, (_, i) => `Disc ${i + 1}`);
    const before = this.#current;
    const current: Discs = { type: 'discs', disc: Math.min(disc, MOST_DISCS), labels: named.slice(0, shown) };
    this.#current = current;
    if (!isDeepStrictEqual(before, current)) this.#changed(current);
  }
}

/** The core's answer; null if there is none, or the emulator has no discs. */
async function answerOf({ emulator, ended }: EmulatorRun, disc?: number): Promise<DiscInside | null> {
  if (emulator.discs === undefined) return null;
  for (let tries = 0; tries < TRIES && !ended.aborted; tries++) {
    const answer = await emulator.discs(disc).catch(() => null);
    if (answer !== null) return answer;
  }
  return null;
}

import { setTimeout as sleep } from 'node:timers/promises';
import { readPng, type Picture } from './picture.js';
import type { GameSession } from './session.js';
import { SIMILAR, similarity } from './similarity.js';

export const LOOK_EVERY_MS = 50;

/** How often to look while no picture is like the reference, which may show any moment of the program. */
const SEARCH_EVERY_MS = 1000;

/** The pictures taken of a session. */
export class Looks {
  readonly #session: Pick<GameSession, 'ended' | 'screenshot'>;
  readonly #reference: Picture | null;
  readonly shots: Buffer[] = [];
  readonly pictures: Picture[] = [];
  /** Their similarities to the reference picture, if there is one. */
  readonly scores: number[] = [];

  constructor(session: Pick<GameSession, 'ended' | 'screenshot'>, reference: Picture | null) {
    this.#session = session;
    this.#reference = reference;
  }

  /** Takes a picture at `end`, and until then while none is like the reference; none once the session has ended. */
  async until(end: number): Promise<void> {
    for (let next = performance.now() + SEARCH_EVERY_MS; next < end; next += SEARCH_EVERY_MS) {
      if (!(await this.#wait(next))) return;
      if (this.#reference !== null && !this.scores.some(score => score >= SIMILAR)) await this.take();
    }
    if (await this.#wait(end)) await this.take();
  }

  /** Takes a picture now; none if the session gives none. */
  async take(): Promise<void> {
    const shot = await this.#session.screenshot().catch(() => null);
    if (shot === null) return;
    const picture = readPng(shot);
    this.shots.push(shot);
    this.pictures.push(picture);
    if (this.#reference !== null) this.scores.push(similarity(picture, this.#reference));
  }

  /** Waits until a time; false if the session ended before. */
  async #wait(end: number): Promise<boolean> {
    while (performance.now() < end && this.#session.ended === null) {
      await sleep(Math.max(0, Math.min(LOOK_EVERY_MS, end - performance.now())));
    }
    return this.#session.ended === null;
  }
}

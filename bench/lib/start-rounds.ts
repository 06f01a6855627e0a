import { setTimeout as sleep } from 'node:timers/promises';
import type { Service } from '../../test/fixtures/services/service.js';
import { endSession, type BerthSession } from './berth.js';
import { summary, SUMMARY_HEAD, table } from './report.js';
import { shuffled } from './statistics.js';
import type { Viewer } from './viewer.js';

/** Rounds in which each side is started once, in random order, and a table of how long that took, in milliseconds. */
export class StartRounds {
  readonly #rows: { name: string; taken: number[] }[] = [];
  readonly #sides: { start: () => Promise<number>; taken: number[] }[] = [];

  /** Adds a side. Returns what its starts take, which `run` fills. */
  side(name: string, start: () => Promise<number>): number[] {
    const taken = this.#row(name);
    this.#sides.push({ start, taken });
    return taken;
  }

  /** Adds the starts of a service's sessions until a viewer sees this colour, and until they are answered. */
  seen(
    name: string,
    {
      service,
      viewer,
      colour,
      start,
    }: {
      service: Service;
      viewer: Viewer;
      colour: Parameters<Viewer['seesColour']>[0];
      start: () => Promise<BerthSession>;
    },
  ): number[] {
    const taken = this.side(name, async () => {
      const began = performance.now();
      const session = await start();
      answers.push(performance.now() - began);
      await viewer.visit(session.url);
      await viewer.seesColour(colour);
      const ms = performance.now() - began;
      await viewer.leave();
      await endSession(service, session);
      return ms;
    });
    const answers = this.#row('  of it until the answer');
    return taken;
  }

  /** Runs all rounds, of which the first ones do not count, with a pause in milliseconds after each start. */
  async run({ rounds, first, pause }: { rounds: number; first: number; pause: number }): Promise<void> {
    for (let round = -first; round < rounds; round++) {
      if (round === 0) for (const { taken } of this.#rows) taken.length = 0;
      for (const { start, taken } of shuffled(this.#sides)) {
        taken.push(await start());
        await sleep(pause);
      }
    }
    table([SUMMARY_HEAD('ms'), ...this.#rows.map(({ name, taken }) => summary(name, taken, 0))]);
  }

  #row(name: string): number[] {
    const taken: number[] = [];
    this.#rows.push({ name, taken });
    return taken;
  }
}

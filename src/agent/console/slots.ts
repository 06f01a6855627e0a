import { CallFailure } from '../link/calls.js';
import { changed, modified } from './changed.js';
import type { Emulator } from './emulator.js';

/** Players have the slots 0 to 9. */
export const SLOTS = 10;

/** How long an emulator may take to write a state, ms. */
const WRITE_TIMEOUT_MS = 3000;

/** States that players save and load, one call after the other: an emulator has one slot in hand at a time. */
export class StateSlots {
  readonly #emulator: () => Emulator;
  #last: Promise<unknown> = Promise.resolve();

  constructor(emulator: () => Emulator) {
    this.#emulator = emulator;
  }

  /** Resolves when the state is on the disk. @throws CallFailure */
  save(slot: number): Promise<void> {
    return this.#inTurn(async () => {
      const emulator = this.#emulator();
      const path = emulator.statePath(slot);
      const before = await modified(path);
      await emulator.save(slot);
      if (await changed(path, before, WRITE_TIMEOUT_MS)) return;
      throw new CallFailure('state_not_saved', 'The emulator did not save the state; try again.');
    });
  }

  /** @throws CallFailure where the slot is empty */
  load(slot: number): Promise<void> {
    return this.#inTurn(async () => {
      const emulator = this.#emulator();
      if ((await modified(emulator.statePath(slot))) === null) {
        throw new CallFailure('slot_empty', `Nothing was saved in slot ${slot}.`);
      }
      await emulator.load(slot);
    });
  }

  #inTurn(act: () => Promise<void>): Promise<void> {
    const done = this.#last.then(act);
    this.#last = done.catch(() => undefined);
    return done;
  }
}

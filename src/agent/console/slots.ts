import { copyFile, rename } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { CallFailure } from '../link/calls.js';
import { isReadWithin, markUnread, modified, written } from './state-file.js';
import type { Emulator } from './emulator.js';
import { stateFile, type Slot } from './saves.js';

/** How long an emulator may take to write a state, ms: on a busy machine those of large consoles take seconds. */
const WRITE_TIMEOUT_MS = 10_000;

/** So often it is told to read one: told while it is still at something else, it forgets. */
const READ_TRIES = 3;

/** How long it may take to read one, ms. */
const READ_TIMEOUT_MS = 1000;

/** How long it may take from then until it is where the state says, ms: nothing tells when it is. */
const SETTLE_MS = 250;

/** States that were saved, one call after the other: an emulator has one state in hand at a time. */
export class StateSlots {
  readonly #emulator: () => Emulator;
  #last: Promise<unknown> = Promise.resolve();

  constructor(emulator: () => Emulator) {
    this.#emulator = emulator;
  }

  /** Resolves when the state is on the disk. @throws CallFailure */
  save(slot: Slot): Promise<void> {
    return this.#inTurn(async () => {
      const emulator = this.#emulator();
      const before = await modified(emulator.statePath);
      await emulator.save();
      if (!(await written(emulator.statePath, before, content => emulator.isWhole(content), WRITE_TIMEOUT_MS))) {
        throw new CallFailure('state_not_saved', 'The emulator did not save the state; try again.');
      }
      // A slot holds a whole state or the one before.
      const path = stateFile(emulator.core, slot);
      await copyFile(emulator.statePath, `${path}.new`);
      await rename(`${path}.new`, path);
    });
  }

  /** @throws CallFailure where the slot is empty */
  load(slot: Slot): Promise<void> {
    return this.#inTurn(async () => {
      const emulator = this.#emulator();
      if (!(await this.has(slot))) throw new CallFailure('slot_empty', `Nothing was saved in slot ${slot}.`);
      await copyFile(stateFile(emulator.core, slot), emulator.statePath);
      await markUnread(emulator.statePath);
      for (let tries = 0; tries < READ_TRIES; tries++) {
        await emulator.load();
        // One that is paused may read it when it goes on.
        if ((await isReadWithin(emulator.statePath, READ_TIMEOUT_MS)) || (await emulator.status()) === 'paused') break;
      }
      await sleep(SETTLE_MS);
    });
  }

  async has(slot: Slot): Promise<boolean> {
    return (await modified(stateFile(this.#emulator().core, slot))) !== null;
  }

  #inTurn(act: () => Promise<void>): Promise<void> {
    const done = this.#last.then(act);
    this.#last = done.catch(() => undefined);
    return done;
  }
}

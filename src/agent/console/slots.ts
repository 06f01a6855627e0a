import { copyFile, rename, rm } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { CallFailure } from '../link/calls.js';
import type { Emulator, EmulatorRun } from './emulator.js';
import { isDiskFull } from './disk-full.js';
import { stateFile, type Slot } from './saves.js';
import { isReadWithin, markUnread, fileVersion, isWrittenWithin } from './state-file.js';

/** Time limit for writing a state, ms: on a busy machine those of large consoles take seconds. */
const WRITE_TIMEOUT_MS = 2500;

/** How often it is told to write or read one: it ignores the command while it is busy. */
const WRITE_TRIES = 4;
const READ_TRIES = 3;

/** Time limit for reading one, ms. */
const READ_TIMEOUT_MS = 1000;

/** Time from then until the state is in effect, ms: nothing reports when it is. */
const SETTLE_MS = 250;

/** Saves the state of a game in a slot; resolves when it is on the disk. @throws CallFailure */
export async function saveState({ emulator, ended }: EmulatorRun, slot: Slot): Promise<void> {
  const { statePath } = emulator;
  const before = await fileVersion(statePath);
  const isWhole = (content: Buffer) => emulator.isWhole(content);
  for (let tries = 0; tries < WRITE_TRIES && !ended.aborted; tries++) {
    if ((await fileVersion(statePath)) === before) await emulator.save();
    if (await isWrittenWithin(statePath, before, isWhole, WRITE_TIMEOUT_MS, ended))
      return keep(statePath, stateFile(emulator.core, slot));
  }
  throw new CallFailure('state_not_saved', 'The emulator did not save the state; try again.');
}

/** Copies a state into its slot atomically. */
async function keep(state: string, path: string): Promise<void> {
  const copy = `${path}.new`;
  try {
    await copyFile(state, copy);
    await rename(copy, path);
  } catch (error) {
    await rm(copy, { force: true });
    if (isDiskFull(error)) throw new CallFailure('state_not_saved', 'There is no space left for the state.');
    throw error;
  }
}

/** Loads a game's state from a slot. @throws CallFailure if the slot is empty, or the emulator rejects its state */
export async function loadState({ emulator, ended }: EmulatorRun, slot: Slot): Promise<void> {
  const { statePath } = emulator;
  if (!(await hasState(emulator, slot))) throw new CallFailure('slot_empty', `Nothing was saved in slot ${slot}.`);
  await copyFile(stateFile(emulator.core, slot), statePath);
  await markUnread(statePath);
  for (let tries = 0; tries < READ_TRIES && !ended.aborted; tries++) {
    await emulator.load();
    if (!(await isReadWithin(statePath, READ_TIMEOUT_MS, ended))) continue;
    await sleep(SETTLE_MS);
    // It may have crashed over it.
    if (!ended.aborted) return;
  }
  throw new CallFailure('state_not_loaded', 'The emulator did not load the state; try again.');
}

export async function hasState({ core }: Pick<Emulator, 'core'>, slot: Slot): Promise<boolean> {
  return (await fileVersion(stateFile(core, slot))) !== null;
}

import type { Command } from '../process/running.js';

/** The game and display of an emulator. */
export interface Cartridge {
  /** The game's file. */
  readonly path: string;
  readonly width: number;
  readonly height: number;
}

/** Whether the game is running; null if the emulator does not answer. */
export type Status = 'playing' | 'paused' | null;

/** What is in a console. */
export interface DiscInside {
  /** From 1; 0: none. */
  readonly disc: number;
  /** How many the game has. */
  readonly count: number;
}

/**
 * How one process of an emulator is started and controlled. It saves and loads a single state; slots are copies of it.
 * Commands are given one at a time, after the game has started; all but `fastForward` also while it is paused, and it
 * stays paused.
 */
export interface Emulator {
  /** The core: a state can be loaded only by the core that saved it. */
  readonly core: string;
  command(cartridge: Cartridge, env: Record<string, string>): Command | Promise<Command>;
  /** The file of its state. */
  readonly statePath: string;
  /** Asks it to write its state; the file shows when it has. */
  save(): Promise<void>;
  /** Whether a state's file is complete: it may be read while it is being written. */
  isWhole(content: Buffer): Promise<boolean>;
  /** Asks it to load its state. */
  load(): Promise<void>;
  reset(): Promise<void>;
  /** Pauses or resumes the game, if necessary. Resolves with whether that succeeded. */
  pause(on: boolean, ended: AbortSignal): Promise<boolean>;
  /** Updates the picture of a paused game after a state was loaded. */
  show(): Promise<void>;
  /** Starts or ends fast-forwarding, if necessary. */
  fastForward(on: boolean): Promise<void>;
  status(): Promise<Status>;
  /**
   * Puts in a disc, from 1, or only looks which one is inside; null if it does not answer. Undefined: its games are not on
   * discs. States know which disc was inside, and loading one puts that in.
   */
  readonly discs?: (disc?: number) => Promise<DiscInside | null>;
}

/** One process of an emulator, from its start to its end. */
export interface EmulatorRun {
  readonly emulator: Emulator;
  /** Aborted when the process has ended. */
  readonly ended: AbortSignal;
}

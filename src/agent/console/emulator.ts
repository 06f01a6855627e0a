import type { Command } from '../process/running.js';

/** What an emulator is started with. */
export interface Cartridge {
  /** The game's file. */
  readonly path: string;
  readonly width: number;
  readonly height: number;
}

/** Whether the game goes on; null where the emulator does not answer. */
export type Status = 'playing' | 'paused' | null;

/**
 * How one process of a program that plays games is started and commanded. It saves and loads one state; slots are made
 * of copies. Orders are given one after the other, to a game that has begun; all but `fastForward` also while it is
 * paused, which it is again afterwards.
 */
export interface Emulator {
  /** What plays: states are those of one core, and no other one can load them. */
  readonly core: string;
  command(cartridge: Cartridge, env: Record<string, string>): Command;
  /** The file of its state. */
  readonly statePath: string;
  /** Asks it to write its state; the file tells when it has. */
  save(): Promise<void>;
  /** Whether this is all of a state's file: it is seen while it is written. */
  isWhole(content: Buffer): Promise<boolean>;
  /** Asks it to go on from its state. */
  load(): Promise<void>;
  reset(): Promise<void>;
  /** Pauses the game or lets it go on; nothing where it is so already. Resolves with whether it came to that. */
  pause(on: boolean, ended: AbortSignal): Promise<boolean>;
  /** Shows what is to be seen of a paused game that was elsewhere before. */
  show(): Promise<void>;
  /** Plays faster, or as fast as before; nothing where it does so already. */
  fastForward(on: boolean): Promise<void>;
  status(): Promise<Status>;
}

/** One process of an emulator, from its start to its end. */
export interface EmulatorRun {
  readonly emulator: Emulator;
  /** Aborted when the process has ended. */
  readonly ended: AbortSignal;
}

import type { Command } from '../process/running.js';
import type { ConsoleKind } from '../../protocol/generated/schemas.js';

/** What an emulator is started with. */
export interface Cartridge {
  readonly kind: ConsoleKind;
  /** The game's file. */
  readonly path: string;
  readonly width: number;
  readonly height: number;
}

/** How one program that plays games is started and commanded. Files of states are the caller's to look at. */
export interface Emulator {
  command(cartridge: Cartridge, env: Record<string, string>): Command;
  /** The file of a state slot. */
  statePath(slot: number): string;
  save(slot: number): Promise<void>;
  load(slot: number): Promise<void>;
  reset(): Promise<void>;
  togglePause(): Promise<void>;
  fastForward(on: boolean): Promise<void>;
  /** `playing` or `paused`; null where it does not answer. */
  status(): Promise<'playing' | 'paused' | null>;
}

/** The state that is saved by itself, to go on from after a crash. */
export const AUTOMATIC_SLOT = -1;

import { existsSync } from 'node:fs';
import type { ConsoleGames } from './console-games.js';
import type { Emulator } from './emulator.js';
import { Mupen64Plus, type Processors } from './mupen64plus.js';
import { CORE_FOLDER, MUPEN_PLUGIN_FOLDER } from './paths.js';
import { RetroArch } from './retroarch.js';

/** How a process of RetroArch learns and tells whether it plays faster, which it cannot be asked. */
export interface SpeedState {
  readonly isFast: boolean;
  readonly changed: (isFast: boolean) => void;
}

/** One way to play the games of a console. */
export interface Choice {
  /** Tells it from the console's other choices. */
  readonly name: string;
  /** A file without which the image does not have it. */
  readonly needs: string;
  /** For one process. */
  emulator(fast: SpeedState): Emulator;
}

/** A core of libretro. */
export const libretro = (core: string): Choice => ({
  name: core,
  needs: `${CORE_FOLDER}/${core}_libretro.so`,
  emulator: ({ isFast, changed }) => new RetroArch(core, isFast, changed),
});

/** The emulator of the n64 that is a program of its own. */
export const mupen64plus = (name: string, processors: Processors): Choice => ({
  name,
  needs: `${MUPEN_PLUGIN_FOLDER}/mupen64plus-rsp-z64.so`,
  emulator: () => new Mupen64Plus(processors),
});

/** Those of the choices that the image has; where it has none, one that fails. */
export function choicesOf(
  [preferred, ...others]: ConsoleGames['choices'],
  isThere: (file: string) => boolean = existsSync,
): [Choice, ...Choice[]] {
  const [first = preferred, ...next] = [preferred, ...others].filter(({ needs }) => isThere(needs));
  return [first, ...next];
}

/** Says that a program crashed all emulators that there are for it. */
export function crashedAll({ advice }: Pick<ConsoleGames, 'advice'>, choices: readonly Choice[]): string {
  const names = choices.map(({ name }) => name).join(', ');
  return `The game crashes each emulator that there is for it (${names}). ${advice}`.trimEnd();
}

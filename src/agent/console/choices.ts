import { existsSync } from 'node:fs';
import type { Choice, ConsoleGames } from './console-games.js';
import { Mupen64Plus, type Processors } from './mupen64plus.js';
import { CORE_FOLDER, MUPEN_PLUGIN_FOLDER } from './paths.js';
import { RetroArch } from './retroarch.js';

/** A libretro core, played by RetroArch. */
export const libretro = (core: string): Choice => ({
  name: core,
  needs: `${CORE_FOLDER}/${core}_libretro.so`,
  emulator: ({ isFast, changed }) => new RetroArch(core, isFast, changed),
});

/** mupen64plus, the n64 emulator that needs no RetroArch. */
export const mupen64plus = (name: string, processors: Processors): Choice => ({
  name,
  needs: `${MUPEN_PLUGIN_FOLDER}/mupen64plus-rsp-z64.so`,
  emulator: () => new Mupen64Plus(processors),
});

/** The choices that the image has; if it has none, one that will fail. */
export function choicesOf(
  [preferred, ...others]: ConsoleGames['choices'],
  isThere: (file: string) => boolean = existsSync,
): [Choice, ...Choice[]] {
  const [first = preferred, ...next] = [preferred, ...others].filter(({ needs }) => isThere(needs));
  return [first, ...next];
}

/** The sentence for a game that crashed all its emulators. */
export function crashedAll(
  { advice, advises }: Pick<ConsoleGames, 'advice' | 'advises'>,
  choices: readonly Choice[],
): string {
  const names = choices.map(({ name }) => name);
  const help = advises !== undefined && names.includes(advises) ? '' : advice;
  return `The game crashes each emulator that there is for it (${names.join(', ')}). ${help}`.trimEnd();
}

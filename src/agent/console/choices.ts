import { existsSync } from 'node:fs';
import type { ConsoleKind } from '../../protocol/generated/schemas.js';
import type { Emulator } from './emulator.js';
import { Mupen64Plus, type Processors } from './mupen64plus.js';
import { CORE_FOLDER, MUPEN_PLUGIN_FOLDER } from './paths.js';
import { RetroArch } from './retroarch.js';

/** How a process of RetroArch learns and tells whether it plays faster, which it cannot be asked. */
export interface Fast {
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
  emulator(fast: Fast): Emulator;
}

const libretro = (core: string): Choice => ({
  name: core,
  needs: `${CORE_FOLDER}/${core}_libretro.so`,
  emulator: ({ isFast, changed }) => new RetroArch(core, isFast, changed),
});

const mupen64plus = (name: string, processors: Processors): Choice => ({
  name,
  needs: `${MUPEN_PLUGIN_FOLDER}/mupen64plus-rsp-z64.so`,
  emulator: () => new Mupen64Plus(processors),
});

/** Lists of the usual microcodes are drawn by OpenGL, all others by the processor. */
const BY_TASK = mupen64plus('mupen64plus', { rsp: 'mupen64plus-rsp-tasks', cpu: 'translated' });
/** Everything goes instruction by instruction: slower, and there is less that can go wrong. */
const EXACT = mupen64plus('mupen64plus_exact', { rsp: 'mupen64plus-rsp-z64', cpu: 'interpreted' });

/** In order of preference. Which of them are there is decided when the image is built. */
const CHOICES: Readonly<Record<ConsoleKind, readonly [Choice, ...Choice[]]>> = {
  nes: [libretro('nestopia')],
  snes: [
    libretro('snes9x'),
    libretro('bsnes_mercury_accuracy'),
    libretro('bsnes_mercury_balanced'),
    libretro('bsnes_mercury_performance'),
  ],
  n64: [libretro('mupen64plus_next'), BY_TASK, EXACT],
  ps1: [libretro('mednafen_psx')],
};

/** What may help where a program crashes all of a console's emulators. */
const ADVICE: Readonly<Record<ConsoleKind, string>> = {
  nes: '',
  snes: ' Another core can be built into the image (BERTH_SNES_CORE).',
  n64: ' A libretro core that draws as the hardware does can be built into the image (BERTH_N64_CORE).',
  ps1: ' It may need a real BIOS (BERTH_PS1_BIOS_DIR).',
};

/** The choices for a console in order of preference: those that the image has; where it has none, one that fails. */
export function choicesOf(kind: ConsoleKind, isThere: (file: string) => boolean = existsSync): [Choice, ...Choice[]] {
  const [preferred, ...others] = CHOICES[kind];
  const [first = preferred, ...next] = [preferred, ...others].filter(({ needs }) => isThere(needs));
  return [first, ...next];
}

/** Says that a program crashed all emulators that there are for it. */
export function crashedAll(kind: ConsoleKind, choices: readonly Choice[]): string {
  const names = choices.map(({ name }) => name).join(', ');
  return `The game crashes each emulator that there is for it (${names}).${ADVICE[kind]}`;
}

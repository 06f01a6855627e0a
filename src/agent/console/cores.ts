import { existsSync } from 'node:fs';
import type { ConsoleKind } from '../../protocol/generated/schemas.js';
import { CORE_FOLDER } from './paths.js';

/** Cores of libretro in order of preference. Which of them are there is decided when the image is built. */
const CORES: Readonly<Record<ConsoleKind, readonly string[]>> = {
  nes: ['nestopia'],
  snes: ['snes9x', 'bsnes_mercury_performance'],
  n64: ['mupen64plus_next'],
  ps1: ['mednafen_psx'],
};

/** The core that plays games of a kind; undefined where the image has none. */
export function coreOf(kind: ConsoleKind): string | undefined {
  return CORES[kind].find(core => existsSync(`${CORE_FOLDER}/${core}_libretro.so`));
}

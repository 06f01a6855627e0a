import { libretro } from '../console/choices.js';
import { otherFormat } from '../console/rom/other-format.js';
import { console } from './console.js';

const KILOBYTE = 1024;

/** Super Nintendo Entertainment System. */
export const snes = console({
  kind: 'snes',
  extensions: ['sfc', 'smc'],
  plain: 'sfc',
  // Games that people make for themselves have no header, or half of one, and no sums: cores do not mind.
  problem: (_, head, size) => {
    const problem = otherFormat(head);
    if (problem !== null) return `This is not a game for the snes: it is ${problem}.`;
    return size < SIZES.least || size > SIZES.most
      ? 'This is not a game for the snes: those have 32 KiB to 16 MiB.'
      : null;
  },
  normalize: content => (hasCopierHeader(content.length) ? content.subarray(COPIER_HEADER_BYTES) : null),
  choices: [
    libretro('snes9x'),
    libretro('bsnes_mercury_accuracy'),
    libretro('bsnes_mercury_balanced'),
    libretro('bsnes_mercury_performance'),
  ],
  advice: 'Another core can be built into the image (BERTH_SNES_CORE).',
});

/** From a bank of a cartridge to twice of what any has; a device that read it may have put something before. */
const SIZES = { least: 32 * KILOBYTE, most: 16 * KILOBYTE * KILOBYTE + 512 };

/** What devices that read cartridges of the snes put before them. Emulators do not all pass over it. */
const COPIER_HEADER_BYTES = 512;
const hasCopierHeader = (size: number) => size % KILOBYTE === COPIER_HEADER_BYTES;

import { libretro } from '../console/choices.js';
import { COPIER_HEADER_BYTES, hasCopierHeader, hasSnesHeader } from '../console/rom/cartridge-snes.js';
import { otherFormat } from '../console/rom/other-format.js';
import { console } from './console.js';

const KILOBYTE = 1024;

/** Super Nintendo Entertainment System. */
export const snes = console({
  kind: 'snes',
  extensions: ['sfc', 'smc'],
  plain: 'sfc',
  formatOf: (head, size) => (hasSnesHeader(head) && isSized(size) && otherFormat('snes', head) === null ? 'sfc' : null),
  // Games that people make for themselves have no header, or half of one, and no sums: cores do not mind.
  problem: (_, head, size) => {
    if (otherFormat('snes', head) !== null) return 'This is not a game for the snes.';
    return isSized(size) ? null : 'This is not a game for the snes: those have 32 KiB to 16 MiB.';
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
const isSized = (size: number) => size >= SIZES.least && size <= SIZES.most;

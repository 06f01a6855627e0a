import { libretro, mupen64plus } from '../console/choices.js';
import { toBigEndian, isBigEndian, isN64, n64Format } from '../console/rom/cartridge-n64.js';
import { console } from './console.js';

/** The core that an operator can build into the image. */
const SUPPLIED = 'mupen64plus_next';
/** Lists of the usual microcodes are drawn by OpenGL, all others by the processor. */
const BY_TASK = mupen64plus('mupen64plus', { rsp: 'mupen64plus-rsp-tasks', cpu: 'translated' });
/** Everything goes instruction by instruction: slower, and there is less that can go wrong. */
const EXACT = mupen64plus('mupen64plus_exact', { rsp: 'mupen64plus-rsp-z64', cpu: 'interpreted' });

/** Nintendo 64. */
export const n64 = console({
  kind: 'n64',
  extensions: ['z64', 'n64', 'v64'],
  plain: 'z64',
  formatOf: n64Format,
  problem: (_, head, size) =>
    isN64(head, size) ? null : 'This is not a game for the n64: it does not begin as a cartridge does.',
  normalize: content => (isBigEndian(content) ? null : toBigEndian(content)),
  choices: [libretro(SUPPLIED), BY_TASK, EXACT],
  advice: 'A libretro core that draws as the hardware does can be built into the image (BERTH_N64_CORE).',
  advises: SUPPLIED,
});

import { libretro } from '../console/choices.js';
import { discProblem } from '../console/rom/header.js';
import { console } from './console.js';

/** PlayStation. */
export const ps1 = console({
  kind: 'ps1',
  extensions: ['m3u', 'cue', 'chd', 'pbp', 'exe', 'iso', 'bin'],
  plain: 'bin',
  problem: discProblem,
  normalize: undefined,
  choices: [libretro('mednafen_psx')],
  advice: 'It may need a real BIOS (BERTH_PS1_BIOS_DIR).',
});

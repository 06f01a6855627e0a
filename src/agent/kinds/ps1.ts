import { libretro } from '../console/choices.js';
import { isCueSheet } from '../console/rom/disc.js';
import { discFormat, discProblem } from '../console/rom/header.js';
import { ps1Files } from '../console/rom/ps1-files.js';
import { console } from './console.js';

/** PlayStation. */
export const ps1 = console({
  kind: 'ps1',
  extensions: ['m3u', 'cue', 'chd', 'pbp', 'exe', 'iso', 'bin'],
  hasDiscs: true,
  plain: 'bin',
  formatOf: (head, size) => discFormat(head) ?? (isCueSheet(head, size) ? 'cue' : null),
  problem: discProblem,
  normalize: undefined,
  forEmulator: ps1Files,
  // images/console/psx/boot.h
  refusals: {
    3: 'The BIOS cannot start this disc: it is not a ps1 disc, or it lacks the licence text (which is added to .cue, .bin and .iso discs).',
  },
  choices: [libretro('mednafen_psx')],
  advice: 'It may need a real BIOS (BERTH_PS1_BIOS_DIR).',
});

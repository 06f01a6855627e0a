import { libretro } from '../console/choices.js';
import { TRUNCATED } from '../console/rom/problem.js';
import { console } from './console.js';

const KILOBYTE = 1024;

/** Nintendo Entertainment System. */
export const nes = console({
  kind: 'nes',
  extensions: ['nes'],
  plain: 'nes',
  formatOf: head => (isNes(head) ? 'nes' : null),
  problem: (_, head, size) => {
    if (!isNes(head)) return 'This is not a game for the nes: it does not begin with "NES".';
    return size < nesBytes(head) ? TRUNCATED : null;
  },
  normalize: undefined,
  choices: [libretro('nestopia')],
  advice: '',
});

const isNes = (head: Buffer) => head.subarray(0, 4).equals(Buffer.from('NES\x1a'));

/** What a cartridge of the nes has by its header: programs, pictures and perhaps a trainer. */
function nesBytes(head: Buffer): number {
  const [programs = 0, pictures = 0, flags = 0, more = 0] = head.subarray(4, 8);
  // In the second version of the format such a number may mean something else.
  if ((more & 0x0c) === 0x08) return 16;
  return 16 + (flags & 4 ? 512 : 0) + programs * 16 * KILOBYTE + pictures * 8 * KILOBYTE;
}

import t from 'tap';
import { isTranslatable } from '../../../src/agent/console/rom/translation-n64.js';

/** A cartridge with these instructions at an address, and others around them. */
function cartridge(address: number, ...instructions: number[]): Buffer {
  const content = Buffer.alloc(0x2000, Buffer.from('27bdffd8', 'hex'));
  for (const [index, instruction] of instructions.entries()) content.writeUInt32BE(instruction, address + index * 4);
  return content;
}

const LUI_T0 = 0x3c08a470;
const LW_FROM_T0 = 0x8d09000c;
const LW_FROM_T1 = 0x8d2a000c;
/** sw t3, 0(t1), then with 0x80, 0x100 and 0x180. */
const VECTORS = [0xad2b0000, 0xad2b0080, 0xad2b0100, 0xad2b0180];

t.test("programs that replace their exceptions' code past the cache are interpreted", async t => {
  t.equal(isTranslatable(cartridge(0x90)), true, 'another program');
  t.equal(isTranslatable(cartridge(0x10ec, ...VECTORS)), false, 'one that stores all of them at its beginning');
  t.equal(isTranslatable(cartridge(0x1ff0, ...VECTORS)), false, 'at the end of its beginning');
  t.equal(isTranslatable(cartridge(0x10ec, ...VECTORS.slice(0, 3))), true, 'one that stores other words');
  t.equal(isTranslatable(cartridge(0x10ec, ...VECTORS.reverse())), true, 'or in another order');
});

t.test('so are those with the boot code of newer versions of libdragon', async t => {
  t.equal(isTranslatable(cartridge(0x90, LUI_T0, LW_FROM_T0)), false, 'it looks at the RDRAM interface');
  t.equal(isTranslatable(cartridge(0x90, LUI_T0, LW_FROM_T1)), true, 'another register');
  t.equal(isTranslatable(cartridge(0x1090, LUI_T0, LW_FROM_T0)), true, 'a program, not boot code');
});

t.test('a file may be short', async t => {
  t.equal(isTranslatable(Buffer.alloc(0)), true);
  t.equal(isTranslatable(cartridge(0x90, LUI_T0, LW_FROM_T0).subarray(0, 0x97)), true);
});

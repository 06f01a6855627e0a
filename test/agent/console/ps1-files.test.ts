import { readFile, writeFile } from 'node:fs/promises';
import t from 'tap';
import { ps1Files } from '../../../src/agent/console/rom/ps1-files.js';
import { isPal } from '../../../src/agent/console/rom/ps1-program.js';
import { prepareTrack } from '../../../src/agent/console/rom/ps1-track.js';
import { makeRaw } from '../../../src/agent/console/rom/raw-disc.js';

const LUI = 0x3c080000;
const ORI = 0x35080000;
const SECTOR = 2352;
const DATA_AT = 24;

const code = (...words: number[]) => {
  const bytes = Buffer.alloc(words.length * 4);
  words.forEach((word, i) => bytes.writeUInt32LE(word >>> 0, i * 4));
  return bytes;
};
const program = (...words: number[]) => {
  const exe = Buffer.alloc(4096);
  exe.write('PS-X EXE');
  exe.writeUInt32LE(2048, 0x1c);
  code(...words).copy(exe, 2048);
  return exe;
};
const at = (sector: number) => sector * SECTOR + DATA_AT;

t.test('a program is one for PAL when all modes that it sets are', async t => {
  t.ok(isPal(code(LUI | 0x0800, ORI | 0x0009)));
  t.ok(isPal(code(LUI | 0x0800, 0x0c004000, ORI | 0x0009)), 'behind a jump');
  t.notOk(isPal(code(LUI | 0x0800, ORI | 0x0001)));
  t.notOk(isPal(code(LUI | 0x0800, ORI | 0x0009, LUI | 0x0800, ORI | 0x0001)), 'both');
  t.notOk(isPal(code()), 'none');
});

t.test('a program gets a disc around it, of its region', async t => {
  for (const [mode, region] of [
    [0x0001, 'Amer'],
    [0x0009, 'Euro'],
  ] as const) {
    const folder = t.testdir({ 'game.exe': '' });
    const path = `${folder}/game.exe`;
    const content = program(LUI | 0x0800, ORI | mode);
    content.writeUInt32LE(0x801ff000, 0x30);
    await writeFile(path, content);
    t.same(await ps1Files({ path, body: path }, [path]), { path: `${folder}/game.cue`, body: path });
    t.match(await readFile(`${folder}/game.cue`, 'utf8'), /FILE "game\.bin" BINARY\n {2}TRACK 01 MODE2\/2352/);
    const disc = await readFile(`${folder}/game.bin`);
    t.match(disc.toString('latin1', at(4), at(4) + 72), new RegExp(`Licensed {2}by +Sony .*${region}`));
    t.match(disc.toString('latin1', at(23), at(23) + 80), /^BOOT = cdrom:\\GAME\.EXE;1\r\n.*STACK = 801ff000\r\n/s);
    t.same(disc.subarray(at(24), at(24) + 2048), content.subarray(0, 2048));
    t.same(disc.subarray(at(25), at(25) + 2048), content.subarray(2048));
  }
});

t.test('a disc without a licence gets one, of the region of its programs', async t => {
  const folder = t.testdir({ 'disc.iso': '', 'read.me': 'a text' });
  const data = Buffer.alloc(40 * 2048);
  data.write('\x01CD001', 16 * 2048, 'latin1');
  await writeFile(`${folder}/disc.iso`, data);
  const path = `${folder}/disc.bin`;
  await makeRaw(`${folder}/disc.iso`, path);
  const before = await readFile(path);
  await prepareTrack(path);
  const disc = await readFile(path);
  t.match(disc.toString('latin1', at(4), at(4) + 72), /Licensed {2}by +Sony Computer Entertainment Amer/);
  t.same(disc.subarray(at(5) - DATA_AT), before.subarray(at(5) - DATA_AT), 'nothing else is changed');
  await prepareTrack(path);
  t.same(await readFile(path), disc, 'one that has a licence stays');

  code(LUI | 0x0800, ORI | 0x0009).copy(data, 30 * 2048);
  await writeFile(`${folder}/disc.iso`, data);
  await makeRaw(`${folder}/disc.iso`, `${folder}/pal.bin`);
  await prepareTrack(`${folder}/pal.bin`);
  t.match((await readFile(`${folder}/pal.bin`)).toString('latin1', at(4), at(4) + 72), /Sony .*Euro/);

  for (const name of ['disc.iso', 'read.me']) {
    const file = await readFile(`${folder}/${name}`);
    await prepareTrack(`${folder}/${name}`);
    t.same(await readFile(`${folder}/${name}`), file, 'what is no raw track stays');
  }
});

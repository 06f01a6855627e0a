import { chmod, readFile } from 'node:fs/promises';
import t from 'tap';
import { checkEntries, entriesOf, isArchive, unpack } from '../../../src/agent/console/rom/archive.js';
import { normalizeCartridge } from '../../../src/agent/console/rom/cartridge.js';
import { cueSheet, namedFiles } from '../../../src/agent/console/rom/disc.js';
import { checkHeader } from '../../../src/agent/console/rom/header.js';
import { makeRaw } from '../../../src/agent/console/rom/raw-disc.js';
import { KINDS } from '../../../src/agent/kinds/index.js';

const MB = 1e6;

t.test("a game must have its console's header", async t => {
  const ok = (kind: 'nes' | 'snes' | 'n64' | 'ps1', extension: string, head: Buffer, size = head.length) =>
    t.doesNotThrow(() => checkHeader(KINDS[kind].games, extension, head, size), `${kind} .${extension}`);
  const wrong = (kind: 'nes' | 'snes' | 'n64' | 'ps1', extension: string, head: Buffer, size = head.length) =>
    t.throws(
      () => checkHeader(KINDS[kind].games, extension, head, size),
      { name: 'RomProblem' },
      `not ${kind} .${extension}`,
    );
  const html = Buffer.from('<!doctype html>'.padEnd(40_000));

  ok('nes', 'nes', Buffer.from('NES\x1a\x01\x01\0\0'), 16 + 24 * 1024);
  ok('ps1', 'exe', Buffer.concat([Buffer.from('PS-X EXE'), Buffer.alloc(2040)]));
  ok('ps1', 'chd', Buffer.from('MComprHD'));
  ok('ps1', 'pbp', Buffer.from('\0PBP'));
  ok('ps1', 'bin', Buffer.from('00ffffffffffffffffffff00020000', 'hex'));
  const cartridge = Buffer.alloc(32 << 10);
  cartridge.writeUInt16LE(0x8000, 0x7ffc);
  ok('snes', 'sfc', cartridge);
  ok('snes', 'smc', Buffer.concat([Buffer.alloc(512), cartridge]));

  wrong('nes', 'nes', Buffer.from('NES\x1a\x01\x01\0\0'), 8 * 1024);
  wrong('ps1', 'exe', Buffer.from('PS-X EXE'));

  for (const [kind, extension] of [
    ['nes', 'nes'],
    ['snes', 'sfc'],
    ['n64', 'z64'],
    ['ps1', 'bin'],
    ['ps1', 'iso'],
  ] as const) {
    wrong(kind, extension, html);
    wrong(kind, extension, Buffer.alloc(0));
  }
});

t.test('anything that may be a snes cartridge is accepted; what is certainly something else is named', async t => {
  const code = Buffer.from('78 18 fb c2 38 a2 ff 1f 9a'.replaceAll(' ', ''), 'hex');
  const cartridge = Buffer.alloc(64 << 10, code);
  const problem = (head: Buffer, size = 64 << 10) => {
    try {
      return checkHeader(KINDS.snes.games, 'sfc', head, size);
    } catch (error) {
      return (error as Error).message.replace('This is not a game for the snes: ', '');
    }
  };
  t.equal(problem(cartridge), undefined, 'without any header');
  t.equal(problem(Buffer.concat([Buffer.from('a title in words'), cartridge])), undefined, 'a text in its beginning');
  const begins = (...bytes: [number, string | number[]][]) => {
    const file = Buffer.from(cartridge);
    for (const [at, some] of bytes) file.set(typeof some === 'string' ? Buffer.from(some, 'latin1') : some, at);
    return problem(file);
  };
  t.equal(begins([0, 'PK\x03\x04']), 'it is an archive.');
  t.equal(begins([257, 'ustar']), 'it is an archive.');
  t.equal(begins([0, [0xff, 0xd8, 0xff]]), 'it is a picture.');
  t.equal(begins([0, 'RIFF']), 'it is a picture or sound.');
  t.equal(begins([0, '%PDF-1.7']), 'it is a document.');
  t.equal(begins([0, 'NES\x1a']), 'it is a game for the nes.');
  t.equal(begins([0, [0x80, 0x37, 0x12, 0x40]]), 'it is a game for the n64.');
  t.equal(begins([0, 'MZ'], [0x3c, [0x80, 0, 0, 0]], [0x80, 'PE\0\0']), 'it is a program for computers.');
  t.equal(begins([0, 'MZ']), undefined, 'two letters are no program');
  t.equal(problem(Buffer.from('Viele Grüße, '.repeat(6000))), 'it is a text.');
  t.equal(problem(Buffer.alloc(64 << 10, 0xff)), 'it is empty.');
  t.equal(problem(cartridge, 16_000), 'those have 32 KiB to 16 MiB.');
  t.equal(problem(cartridge, 17 << 20), 'those have 32 KiB to 16 MiB.');
});

/** A cartridge of the n64 as people make them for themselves: without a name, sums or a clock rate. */
function homebrew(size = 0x1001): Buffer {
  const cartridge = Buffer.alloc(size);
  cartridge.writeUInt32BE(0x80371240, 0);
  cartridge.writeUInt32BE(0x80000400, 8);
  cartridge.write('boot code', 0x40);
  return cartridge;
}

t.test('n64 cartridges boot from memory, in any byte order', async t => {
  const check = (head: Buffer, size = 0x100000) => checkHeader(KINDS.n64.games, 'z64', head, size);
  const orders = {
    z64: (it: Buffer) => it,
    v64: (it: Buffer) => it.swap16(),
    n64: (it: Buffer) => it.swap32(),
    mixed: (it: Buffer) => it.swap32().swap16(),
  };
  const changed = (change: (cartridge: Buffer) => unknown) => {
    const cartridge = homebrew(0x1004);
    change(cartridge);
    return cartridge;
  };
  for (const [name, reordered] of Object.entries(orders)) {
    t.doesNotThrow(() => check(reordered(homebrew(0x1004))), name);
    t.doesNotThrow(
      () => check(reordered(changed(it => it.writeUInt32BE(0xa4000040, 8)))),
      `${name}: elsewhere in memory`,
    );
    t.doesNotThrow(() => check(reordered(changed(it => it.writeUInt32BE(0, 8)))), `${name}: where the boot code says`);
    t.throws(
      () => check(reordered(changed(it => it.writeUInt32BE(0x400, 8)))),
      { name: 'RomProblem' },
      `${name}: no address of memory`,
    );
    t.throws(() => check(reordered(changed(it => it.fill(0, 0x40)))), { name: 'RomProblem' }, `${name}: no boot code`);
    t.throws(
      () => check(reordered(changed(it => it.fill(0xff, 0x40)))),
      { name: 'RomProblem' },
      `${name}: an empty chip`,
    );
    t.throws(
      () => check(reordered(changed(it => it.writeUInt8(0x13, 2)))),
      { name: 'RomProblem' },
      `${name}: another beginning`,
    );
  }
  t.doesNotThrow(() => check(homebrew(), 0x1001), 'a size that is no multiple of anything');
  t.throws(() => check(homebrew(), 0x1000), { name: 'RomProblem' }, 'nothing but boot code');
  t.throws(() => check(homebrew().subarray(0, 0x800), 0x800), { name: 'RomProblem' }, 'not even that');
});

t.test('archives are recognized by their first bytes', async t => {
  t.ok(isArchive(Buffer.from('PK\x03\x04....')));
  t.ok(isArchive(Buffer.from('PK\x05\x06....')), 'without files');
  t.ok(isArchive(Buffer.from('377abcaf271c0004', 'hex')));
  t.notOk(isArchive(Buffer.from('NES\x1a')));
});

t.test('an archive that would write elsewhere, or too much, is refused', async t => {
  const listing = (path: string, size: number, attributes = 'A -rw-r--r--') =>
    entriesOf(`Path = ${path}\nSize = ${size}\nAttributes = ${attributes}\n\n`);
  t.doesNotThrow(() => checkEntries(listing('folder/game.nes', 100), MB));
  for (const path of ['/etc/passwd', '../game.nes', 'a/../../game.nes', 'a\\..\\game.nes']) {
    t.throws(() => checkEntries(listing(path, 100), MB), { message: /out of its folder/ }, path);
  }
  t.throws(() => checkEntries(listing('link', 4, 'A lrwxrwxrwx'), MB), { message: /out of its folder/ }, 'a link');
  t.throws(() => checkEntries(listing('bomb.nes', 2 * MB), MB), { message: /larger than 1 MB/ });
  t.throws(() => checkEntries([], MB), { message: /empty/ });
});

t.test('names in archives are read whatever they are made of', async t => {
  const listed = (name: string | Buffer) => {
    const bytes = Buffer.from(name).toString('latin1');
    return entriesOf(`Path = ${bytes}\nSize = 1\nAttributes = A\n\n`).map(({ path }) => path);
  };
  t.same(listed('Pok\u00e9mon.nes'), ['Pok\u00e9mon.nes'], 'UTF-8');
  t.same(listed(Buffer.from('Pok\u00e9mon.nes', 'latin1')), ['Pok\u00e9mon.nes'], 'Windows-1252');
  t.same(listed(Buffer.from('Pok\x82mon \x81.nes', 'latin1')), ['Pok‚mon ①.nes'], 'no byte is a control character');
  t.same(listed('games\\a\\card.nes'), ['games/a/card.nes'], 'backslashes between folders');
  t.same(listed('Pok\u00e9\\card.nes'), ['Pok\u00e9/card.nes']);
  t.same(listed(Buffer.from('835c2e6e6573', 'hex')), ['\u30bd.nes'], 'none in the middle of a Japanese character');
});

t.test('an archive is unpacked by what it lists', async t => {
  const files = (script: string) =>
    `#!/bin/sh\n[ "$1" = l ] && printf 'Path = a/1\\nSize = 3\\n\\nPath = a\\nFolder = +\\n\\nPath = ._2\\nSize = 2\\n\\nPath = 3\\nSize = 4\\n' && exit\n${script}`;
  const unpacked = async (script: string) => {
    const folder = t.testdir({ '7z': files(script), into: {} });
    await chmod(`${folder}/7z`, 0o755);
    const { PATH } = process.env;
    process.env['PATH'] = `${folder}:${PATH}`;
    await unpack('game.7z', `${folder}/into`, MB, new AbortController().signal).finally(
      () => (process.env['PATH'] = PATH),
    );
    return Promise.all(['a/1', '3'].map(name => readFile(`${folder}/into/${name}`, 'utf8')));
  };
  t.same(await unpacked('printf 111223333'), ['111', '3333'], 'each file has its bytes, and a hidden one is left out');
  const damaged = { name: 'RomProblem', message: 'The archive is damaged.' };
  await t.rejects(unpacked('printf 11122333'), damaged, 'less than it lists');
  await t.rejects(unpacked('printf 1112233334; exec sleep 60'), damaged, 'more than it lists');
  await t.rejects(unpacked("printf 111223333; echo 'ERROR: Data Error : a.nes' >&2; exit 2"), damaged);
  const locked = { name: 'RomProblem', message: 'The archive is locked with a password.' };
  await t.rejects(unpacked("echo 'ERROR: Wrong password : a.nes' >&2; exit 2"), locked);
});

t.test('a cartridge is converted to the byte order of its chip, however it was dumped', async t => {
  const chip = '80371240' + '00112233' + 'aabb';
  const orders = {
    z64: chip,
    v64: '37804012' + '11003322' + 'aabb',
    n64: '40123780' + '33221100' + 'aabb',
    swapped: '12408037' + '22330011' + 'aabb',
  };
  for (const [name, content] of Object.entries(orders)) {
    const path = `${t.testdir({ game: Buffer.from(content, 'hex') })}/game`;
    await normalizeCartridge(KINDS.n64.games, path);
    t.equal(await readFile(path, 'hex'), chip, name);
  }
  const path = `${t.testdir({ game: Buffer.concat([Buffer.alloc(512), Buffer.alloc(1024, 'chip')]) })}/game`;
  await normalizeCartridge(KINDS.snes.games, path);
  t.equal(await readFile(path, 'latin1'), 'chip'.repeat(256), 'without what the device that read it put before it');
});

t.test('sheets of discs are written, and their file names read', async t => {
  t.match(cueSheet('game.bin'), /FILE "game\.bin" BINARY\n {2}TRACK 01 MODE2\/2352/);
  t.same(namedFiles('cue', 'FILE "Disc 1.bin" BINARY\n TRACK 01 MODE2/2352\nFILE two.bin BINARY'), [
    'Disc 1.bin',
    'two.bin',
  ]);
  const begun = process.cpuUsage();
  for (const piece of ['\n', ' ', '\nFILE', 'FILE "', '\nFILE "'])
    t.same(
      namedFiles('cue', piece.repeat((64 << 10) / piece.length)).filter(name => name === ''),
      [],
    );
  const { user, system } = process.cpuUsage(begun);
  t.ok((user + system) / 1000 < 1000, 'none is read for long');
  t.same(namedFiles('m3u', '#EXTM3U\r\none.cue\r\n\r\ntwo.cue\n'), ['one.cue', 'two.cue']);
});

t.test("raw sectors are made from a disc's data", async t => {
  const folder = t.testdir({ 'game.iso': Buffer.alloc(2 * 2048 + 100, 'data') });
  await makeRaw(`${folder}/game.iso`, `${folder}/game.bin`);
  const raw = await readFile(`${folder}/game.bin`);
  t.equal(raw.length, 3 * 2352);
  const second = raw.subarray(2352, 2 * 2352);
  t.equal(
    second.toString('hex', 0, 24),
    '00ffffffffffffffffffff00' + '00020102' + '0000080000000800',
    'two seconds and a sector',
  );
  t.equal(second.toString('latin1', 24, 32), 'datadata');
  t.equal(second.readUInt32LE(2072), 0x95bf59ef);
  t.equal(raw[2 * 2352 + 24 + 100], 0, 'the last one is filled up');
});

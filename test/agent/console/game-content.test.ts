/** What a file is by its content, whatever its name: an address need not end in that of a file. */
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import t, { type Test } from 'tap';
import { cueSheet } from '../../../src/agent/console/rom/disc.js';
import { prepareRom } from '../../../src/agent/console/rom/prepare.js';
import { makeRaw } from '../../../src/agent/console/rom/raw-disc.js';
import { KINDS } from '../../../src/agent/kinds/index.js';

type ConsoleName = 'nes' | 'snes' | 'n64' | 'ps1';

const CODE = Buffer.from('7818fbc238a2ff1f9a', 'hex');

const nes = Buffer.concat([Buffer.from('NES\x1a\x01\x01\0\0\0\0\0\0\0\0\0\0', 'latin1'), Buffer.alloc(24 << 10, CODE)]);
/** As people make them for themselves: without a header. */
const headerless = Buffer.alloc(64 << 10, CODE);
const snes = Buffer.from(headerless);
snes.write('A CARTRIDGE          \x20', 0x7fc0, 'latin1');
snes.writeUInt16LE(0x1234, 0x7fdc);
snes.writeUInt16LE(0xedcb, 0x7fde);
const n64 = Buffer.alloc(0x2000, CODE);
n64.writeUInt32BE(0x80371240, 0);
n64.writeUInt32BE(0x80000400, 8);
const exe = Buffer.alloc(4096, CODE);
exe.write('PS-X EXE');
exe.writeUInt32LE(2048, 0x1c);
const iso = Buffer.alloc(40 * 2048);
iso.write('\x01CD001\x01\0PLAYSTATION', 16 * 2048, 'latin1');
const raw = await (async () => {
  const folder = t.testdir({ iso });
  await makeRaw(`${folder}/iso`, `${folder}/raw`);
  return readFile(`${folder}/raw`);
})();
const chd = Buffer.from('MComprHD then whatever');

/** The file that is played when this was downloaded under that name. */
async function played(t: Test, kind: ConsoleName, name: string, content: Buffer): Promise<string> {
  const folder = t.testdir({ download: content });
  const into = join(folder, 'files');
  // What is made for the emulator of the ps1 stands elsewhere.
  const { forEmulator: _, ...games } = KINDS[kind].games;
  const { path } = await prepareRom(games, { file: `${folder}/download`, name }, 1e9, AbortSignal.abort(), into);
  return path.slice(into.length + 1);
}

/** The same for an archive of these files, whatever they are called; how it was packed is not what matters here. */
async function playedOf(
  t: Test,
  kind: ConsoleName,
  files: Record<string, string | Buffer>,
  name = 'whatever.php',
): Promise<string> {
  const folder = t.testdir({ download: 'PK\x03\x04', bin: {}, packed: {} });
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, 'packed', name)), { recursive: true });
    await writeFile(join(folder, 'packed', name), content);
  }
  const script = `#!/bin/sh
cd ${folder}/packed || exit
list() { printf 'Path = %s\\nSize = %s\\n\\n' "\${1#./}" "$(stat -c %s "$1")"; }
[ "$1" = l ] || list() { cat "$1"; }
find . -type f | sort | while read -r file; do list "$file"; done`;
  await writeFile(`${folder}/bin/7z`, script);
  await chmod(`${folder}/bin/7z`, 0o755);
  const { PATH } = process.env;
  process.env['PATH'] = `${folder}/bin:${PATH}`;
  const into = join(folder, 'files');
  const { forEmulator: _, ...games } = KINDS[kind].games;
  const { path } = await prepareRom(
    games,
    { file: `${folder}/download`, name },
    1e9,
    new AbortController().signal,
    into,
  ).finally(() => (process.env['PATH'] = PATH));
  return path.slice(into.length + 1);
}

const NAMES = ['rom.php', 'Game v1.2', 'get.aspx', 'game.bin', 'game.zip', 'download', '', 'game.cue.txt'];

t.test('a game is played whatever its name ends in', async t => {
  const games: [ConsoleName, Buffer, string][] = [
    ['nes', nes, 'game.nes'],
    ['snes', snes, 'game.sfc'],
    ['snes', Buffer.concat([Buffer.alloc(512), snes]), 'game.sfc'],
    ['snes', headerless, 'game.sfc'],
    ['n64', n64, 'game.z64'],
    ['n64', Buffer.from(n64).swap16(), 'game.v64'],
    ['n64', Buffer.from(n64).swap32(), 'game.n64'],
    ['n64', Buffer.from(n64).swap32().swap16(), 'game.z64'],
    ['ps1', chd, 'game.chd'],
    ['ps1', Buffer.from('\0PBP then whatever'), 'game.pbp'],
    ['ps1', exe, 'game.exe'],
    ['ps1', raw, 'game.cue'],
    ['ps1', iso, 'game.cue'],
  ];
  for (const [kind, content, file] of games)
    for (const name of NAMES) t.equal(await played(t, kind, name, content), file, `${kind} "${name}" is ${file}`);
});

t.test('an extension of another form of the same console does not matter either', async t => {
  t.equal(await played(t, 'ps1', 'game.iso', raw), 'game.cue');
  t.equal(await played(t, 'ps1', 'game.chd', exe), 'game.exe');
  t.equal(await played(t, 'ps1', 'game.exe', chd), 'game.chd');
  t.equal(await played(t, 'n64', 'game.z64', Buffer.from(n64).swap16()), 'game.v64');
  t.equal(await played(t, 'snes', 'game.smc', snes), 'game.sfc');
  t.equal(await played(t, 'snes', 'game.smc', headerless), 'game.smc', 'where content does not tell, the name does');
});

t.test('the data of a disc becomes raw sectors, also where its name is that of raw sectors', async t => {
  await played(t, 'ps1', 'game.bin', iso);
  t.same(await readFile(join(t.testdirName, 'files/game.bin')), raw);
});

t.test('of the files of an archive the one that starts the game is chosen', async t => {
  t.equal(await playedOf(t, 'nes', { 'read.me': 'a game', 'b.nes': nes, 'a.nes': nes }), 'game.nes');
  t.equal(await playedOf(t, 'nes', { 'read.me': 'a game', 'folder/rom': nes }), 'folder/game.nes', 'without a name');
  t.equal(await playedOf(t, 'snes', { 'game.bin': headerless, 'game.srm': CODE, 'read.me': 'a game' }), 'game.sfc');
  t.equal(await playedOf(t, 'snes', { 'larger.bin': Buffer.alloc(128 << 10, CODE), game: snes }), 'game.sfc');
  t.same(await readFile(join(t.testdirName, 'files/game.sfc')), snes, 'one with a header before one without');
  t.equal(await playedOf(t, 'n64', { 'game.bin': n64, 'game.eep': CODE }), 'game.z64');
  const disc = { '1.bin': raw, '1.cue': cueSheet('1.bin') };
  t.equal(await playedOf(t, 'ps1', { ...disc, 'all.m3u': '1.cue' }), 'game.m3u', 'a playlist before discs');
  t.equal(await playedOf(t, 'ps1', { '1.bin': raw, '1.CUE': cueSheet('1.bin') }), 'game.cue', 'a sheet before a track');
  t.equal(await playedOf(t, 'ps1', { '1.img': raw, sheet: cueSheet('1.img') }), 'game.cue', 'a sheet without a name');
  t.equal(await playedOf(t, 'ps1', { 'setup.exe': 'MZ...', 'disc.img': raw }), 'game.cue', 'not what is named as one');
});

t.test('what systems put into archives is none of their files', async t => {
  const attributes = Buffer.concat([Buffer.from('00051607', 'hex'), Buffer.alloc(64 << 10, CODE)]);
  t.equal(await playedOf(t, 'snes', { '__MACOSX/._Card.sfc': attributes, 'Card.sfc': headerless }), 'game.sfc');
  t.same(await readFile(join(t.testdirName, 'files/game.sfc')), headerless, 'not what a Mac says of it');
  const sheet = { 'Card.bin': raw, 'Card.cue': cueSheet('Card.bin') };
  for (const [added, content] of [
    ['__MACOSX/._Card.cue', attributes],
    ['._Card.cue', attributes],
    ['.Card.m3u', 'Card.cue'],
    ['.Trashes/1/Other.m3u', 'missing.cue'],
    ['@eaDir/Card.m3u', 'missing.cue'],
    ['$RECYCLE.BIN/Card.m3u', 'missing.cue'],
    ['.DS_Store', attributes],
  ] as const)
    t.equal(await playedOf(t, 'ps1', { ...sheet, [added]: content }), 'game.cue', added);
  for (const added of ['Thumbs.db', 'THUMBS.DB', 'desktop.ini', '.DS_Store', '._Card'])
    t.equal(await playedOf(t, 'snes', { [added]: Buffer.alloc(128 << 10, CODE), Card: headerless }), 'game.sfc', added);
  t.same(await readFile(join(t.testdirName, 'files/game.sfc')), headerless, 'however large it is');
  await t.rejects(playedOf(t, 'nes', { '__MACOSX/._card.nes': attributes }), {
    name: 'RomProblem',
    message: 'There is no game for nes in it: no file is a .nes.',
  });
});

t.test('of several games in an archive one is started only where it is clear which', async t => {
  const other = Buffer.from(nes).fill(0, 100);
  const several = async (files: string[], name?: string) => {
    await playedOf(t, 'nes', Object.fromEntries(files.map((file, i) => [file, i === 0 ? nes : other])), name);
    return nes.equals(await readFile(join(t.testdirName, 'files/game.nes')));
  };
  t.ok(await several(['z.nes', 'a.nes'], 'Z.zip'), 'the one that is called as the archive');
  t.ok(await several(['Pok\u00e9mon.nes', 'a.nes'], 'Poke\u0301mon.7z'), 'also by a Mac');
  t.ok(await several(['z.nes', 'extras/a.nes']), 'the one in no folder');
  t.ok(await several(['Game (Europe).nes', 'Game (USA).nes', 'Game [b1].nes']), 'the first version of one game');
  t.equal(await playedOf(t, 'nes', { 'b.nes': nes, 'a.nes': nes }), 'game.nes', 'one that is there twice');
  await playedOf(t, 'ps1', { 'Disc 10.chd': chd, 'Disc 2.chd': chd });
  const list = await readFile(join(t.testdirName, 'files/game.m3u'), 'utf8');
  t.equal(list, 'Disc 2.chd\nDisc 10.chd\n', 'the first disc, and then the others');
  const message =
    'There are several games for nes in it: "1.nes", "2.nes", "3.nes" and 2 more. Give one, or call the archive as the one to start.';
  const pack = Object.fromEntries([10, 3, 2, 1, 4].map(i => [`${i}.nes`, Buffer.from(nes).fill(i, 100)]));
  await t.rejects(playedOf(t, 'nes', pack), { name: 'RomProblem', message });
});

t.test('what is no game of the console is refused, and named if it is known', async t => {
  const web = Buffer.from('\n<!DOCTYPE html><title>Sign in</title>'.padEnd(40_000));
  const refused: [ConsoleName, Buffer, string][] = [
    ['nes', snes, 'a game for the snes'],
    ['nes', n64, 'a game for the n64'],
    ['nes', raw, 'a game for the ps1'],
    ['nes', exe, 'a program for the ps1'],
    ['nes', web, 'a web page'],
    ['nes', Buffer.from('1f8b0800', 'hex'), 'an archive'],
    ['snes', nes, 'a game for the nes'],
    ['snes', iso, 'a game for the ps1'],
    ['snes', Buffer.from(n64).swap16(), 'a game for the n64'],
    ['snes', chd, 'a disc'],
    ['n64', nes, 'a game for the nes'],
    ['n64', snes, 'a game for the snes'],
    ['ps1', nes, 'a game for the nes'],
    ['ps1', n64, 'a game for the n64'],
    ['ps1', web, 'a web page'],
  ];
  for (const [kind, content, is] of refused)
    for (const name of ['rom.php', `game.${KINDS[kind].games.plain}`])
      await t.rejects(
        played(t, kind, name, content),
        { name: 'RomProblem', message: `This is not a game for the ${kind}: it is ${is}.` },
        `${kind} "${name}": ${is}`,
      );
  await t.rejects(played(t, 'nes', 'rom.php', CODE), { name: 'RomProblem', message: /does not begin with "NES"/ });
  await t.rejects(played(t, 'nes', 'rom.php', nes.subarray(0, 9000)), { name: 'RomProblem', message: /cut off/ });
  await t.rejects(playedOf(t, 'snes', { 'read.me': 'a game', 'a/b.nes': nes }), {
    name: 'RomProblem',
    message: 'There is no game for snes in it: no file is a .sfc, .smc. "b.nes" is a game for the nes.',
  });
  await t.rejects(playedOf(t, 'nes', { 'read.me': 'a game', 'a.nes': web }), {
    name: 'RomProblem',
    message: 'This is not a game for the nes: it is a web page.',
  });
});

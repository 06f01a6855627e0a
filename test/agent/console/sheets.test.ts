import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import t, { type Test } from 'tap';
import { rewriteSheet } from '../../../src/agent/console/rom/disc.js';

const SECTOR = Buffer.alloc(2352);
Buffer.from('00ffffffffffffffffffff00', 'hex').copy(SECTOR);
const MISSING = /names ".*", which is not beside it/;
const track = (file: string, mode = 'MODE2/2352') =>
  `FILE "${file}" BINARY\r\n  TRACK 01 ${mode}\r\n    INDEX 01 00:00:00\r\n`;

/** Writes the files, rewrites the first one to `game.…`, and reads what became of the texts. */
async function rewritten(t: Test, files: Record<string, string | Buffer>): Promise<(path: string) => Promise<string>> {
  const folder = t.testdir({});
  const paths = Object.keys(files).map(name => join(folder, name));
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), content);
  }
  const kind = paths[0]?.endsWith('.m3u') ? 'm3u' : 'cue';
  await rewriteSheet(paths[0] ?? '', `game.${kind}`, kind, paths);
  return path => readFile(join(folder, path), 'utf8');
}

t.test('names are replaced by those of the files, each in its own line', async t => {
  const m3u = await rewritten(t, {
    'all.m3u': '# discs\r\n11.cue\r\n1.CUE\r\n',
    '1.cue': track('1.BIN'),
    '11.cue': track('1.bin'),
    '1.bin': SECTOR,
  });
  t.equal(await m3u('game.m3u'), '# discs\r\n11.cue\r\n1.cue\r\n');
  t.equal(await m3u('1.cue'), track('1.bin'), 'those of a disc in a playlist, too');
  const cue = await rewritten(t, {
    'a.cue': track('11.BIN') + track('1.BIN', 'AUDIO'),
    '1.bin': 'sound',
    '11.bin': SECTOR,
  });
  t.equal(await cue('game.cue'), track('11.bin') + track('1.bin', 'AUDIO'));
  const file = await rewritten(t, { 'a.cue': '\ufeff' + track('FILE').replaceAll('"', ''), file: SECTOR });
  t.equal(await file('game.cue'), track('file'), 'a name that is a word of the sheet');
  const folders = await rewritten(t, {
    'a.m3u': 'Discs\\One.cue',
    'discs/one.cue': track('ONE.bin'),
    'discs/one.bin': SECTOR,
  });
  t.same([await folders('game.m3u'), await folders('discs/one.cue')], ['discs/one.cue', track('one.bin')]);
});

t.test('names are found however they are written', async t => {
  const latin = (text: string) => Buffer.from(text, 'latin1');
  const found = async (name: string, sheet: string | Buffer, files: string[], expected = track(files[0] ?? '')) => {
    const named = Object.fromEntries(files.map(file => [file, SECTOR]));
    t.equal(await (await rewritten(t, { 'a.cue': sheet, ...named }))('game.cue'), expected, name);
  };
  const POKEMON = 'Pok\u00e9mon.bin';
  const other = 'other.bin';
  await found('Windows-1252', latin(track(POKEMON)), [POKEMON, other]);
  await found('code page 437', Buffer.from(track(POKEMON).replace('\u00e9', '\x82'), 'latin1'), [POKEMON, other]);
  await found('a name that was in neither', track(POKEMON), ['Pok\u201amon.bin', other]);
  await found('UTF-16', Buffer.from(`\ufeff${track(POKEMON)}`, 'utf16le'), [POKEMON, other]);
  await found('the other UTF-16', Buffer.from(`\ufeff${track(POKEMON)}`, 'utf16le').swap16(), [POKEMON, other]);
  await found('accents apart', track('POKE\u0301MON.BIN'), [POKEMON, other]);
  await found('accents together', track(POKEMON), ['Poke\u0301mon.bin', other]);
  await found('lost accents', track('Pok?mon.bin'), [POKEMON, other]);
  await found('a path of Windows', track('C:\\games\\Card.bin'), ['card.bin', other]);
  await found('a path of Unix', track('/home/me/card.bin'), ['card.bin', other]);
  await found('another folder', track('card.bin'), ['tracks/card.bin', other]);
  await found('the one file there', track('whatever.bin'), ['card.bin', 'cover.png']);
  await found('the one track there', track('whatever.bin'), ['card.img', 'cover.png']);
  const japanese = (hex: string) => track(Buffer.from(hex, 'hex').toString('latin1'));
  const onWindows = latin(japanese('8351815b8380835c').replace('"', '"C:\\'));
  await found('Shift-JIS', onWindows, ['ゲームソ', 'ゲーム']);
  await found('Shift-JIS, as an archive has it', latin(japanese('8351815b8380')), ['ƒQ①[ƒ€', other]);
  await found('UTF-8, of an archive in Shift-JIS', track('ゲーム.bin'), ['ƒQ①[ƒ€.bin', 'ゲ.bin']);
  const discs = await rewritten(t, {
    'a.m3u': latin('Pok\u00e9mon 1.chd\nD:\\Pok\u00e9mon 2.chd\n'),
    'Poke\u0301mon 1.chd': 'MComprHD',
    'Pok\u00e9mon 2.chd': 'MComprHD',
  });
  t.equal(await discs('game.m3u'), 'Poke\u0301mon 1.chd\nPok\u00e9mon 2.chd\n', 'a playlist');
  const long = `${'\u30b2'.repeat(100)} (Track 01).bin`;
  await found('longer than files can be called', track(long), [Array.from(long).slice(-60).join(''), other]);
});

t.test('named files must exist, and have the stated format', async t => {
  const cases: [string, Record<string, string | Buffer>, RegExp][] = [
    ['the second track', { 'a.cue': track('1.bin') + track('2.bin', 'AUDIO'), '1.bin': SECTOR }, MISSING],
    ['a path out', { 'in/a.cue': track('../../1.bin') }, MISSING],
    ['a path from the root', { 'a.cue': track('/etc/passwd') }, MISSING],
    [
      'an empty track',
      { 'a.cue': track('1.bin') + track('2.bin', 'AUDIO'), '1.bin': SECTOR, '2.bin': '' },
      /"2\.bin".* is empty/,
    ],
    ['less than a sector', { 'a.cue': track('1.bin'), '1.bin': SECTOR.subarray(0, 2351) }, /"1\.bin".* is cut off/],
    ['no sectors', { 'a.cue': track('1.bin'), '1.bin': Buffer.alloc(2352, 'text') }, /not a game for the ps1/],
    ['no tracks', { 'a.cue': 'FILE 1.bin BINARY', '1.bin': SECTOR }, /names no tracks/],
    ['no files', { 'a.cue': 'TRACK 01 AUDIO' }, /names no files/],
    [
      'a track of a disc',
      { 'a.m3u': '1.cue\n2.cue', '1.cue': track('1.bin'), '2.cue': track('2.bin'), '1.bin': SECTOR },
      MISSING,
    ],
    [
      'the other of two',
      { 'a.cue': track('\u4e0a1.bin') + track('\u4e0b1.bin', 'AUDIO'), '\u4e0a1.bin': SECTOR },
      MISSING,
    ],
    ['one of several', { 'a.cue': track('card.bin'), '1.bin': SECTOR, '2.bin': SECTOR }, MISSING],
    ['one in several folders', { 'a.cue': track('c:\\1.bin'), 'a/1.bin': SECTOR, 'b/1.bin': SECTOR }, MISSING],
    ['without a letter', { 'a.cue': track('\u4e0a.bin'), '\u4e0b.bin': SECTOR, '1.bin': SECTOR }, MISSING],
    ['a disc', { 'a.m3u': '1.chd\n2.chd', '1.chd': 'MComprHD' }, MISSING],
    ['a disc that is none', { 'a.m3u': '1.chd', '1.chd': 'text' }, /it is a text/],
    ['an empty disc', { 'a.m3u': '1.pbp', '1.pbp': '' }, /"1\.pbp".* is empty/],
    ['itself', { 'a.m3u': 'a.m3u' }, /names another one/],
    ['too long', { 'a.m3u': 'a.chd\n'.repeat(20_000), 'a.chd': 'MComprHD' }, /too large/],
  ];
  for (const [name, files, message] of cases)
    await t.rejects(rewritten(t, files), { name: 'RomProblem', message }, name);
  await rewritten(t, { 'a.cue': track('1.bin', 'MODE1/2048'), '1.bin': 'anything' });
  await rewritten(t, { 'a.cue': track('1.wav', 'AUDIO'), '1.wav': 'sound' });
  t.pass('of what has no sectors nothing is asked');
});

import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import t, { type Test } from 'tap';
import type { Discs } from '../../../src/protocol/generated/schemas.js';
import { GameDiscs } from '../../../src/agent/console/discs.js';
import type { DiscInside, Emulator } from '../../../src/agent/console/emulator.js';
import { discsLike, labelOf } from '../../../src/agent/console/rom/disc-set.js';
import { prepareFiles } from '../../../src/agent/console/rom/prepare.js';
import { KINDS } from '../../../src/agent/kinds/index.js';

const { games } = KINDS.ps1;
const CHD = Buffer.from('MComprHD');
const SECTOR = Buffer.alloc(2352);
Buffer.from('00ffffffffffffffffffff00', 'hex').copy(SECTOR);
const ISO = Buffer.alloc(0x9000);
ISO.write('\x01CD001', 0x8000, 'latin1');
const sheet = (file: string) => `FILE "${file}" BINARY\n  TRACK 01 MODE2/2352\n    INDEX 01 00:00:00\n`;

t.test('discs are those that are called the same but for their number, in its order', t => {
  const same = (first: string, others: string[], expected: string[]) =>
    t.same(discsLike(first, [...others, first]), expected, first);
  const numbered = (name: (disc: number | string) => string, discs: (number | string)[]) => discs.map(name);
  for (const name of [
    (disc: number | string) => `/f/Quest (USA) (Disc ${disc}).chd`,
    (disc: number | string) => `/f/quest_cd${disc}.chd`,
    (disc: number | string) => `/f/Quest (Disc ${disc} of 12) (Rev ${disc}).chd`,
    (disc: number | string) => `/f/Quest DISK-${disc}.chd`,
    (disc: number | string) => `/f/Disc ${disc}/quest.chd`,
    (disc: number | string) => `/f/CD 32/Disc ${disc}/Quest (Disc ${disc}).chd`,
  ]) {
    same(name(1), numbered(name, [10, 2]), numbered(name, [1, 2, 10]));
  }
  const lettered = (disc: string) => `/f/Quest (Disc ${disc}).chd`;
  same(lettered('A'), [lettered('B')], ['A', 'B'].map(lettered));
  same('/f/Quest (Disc 1).chd', ['/f/Other (Disc 2).chd', '/f/Quest.chd'], []);
  same('/f/Quest (Disc 1) (Rev 1).chd', ['/f/Quest (Disc 1).chd'], []);
  same('/f/Quest 1.chd', ['/f/Quest 2.chd'], []);
  same('/f/Quest (Disc 2).chd', ['/f/Quest (Disc 1).chd'], []);
  same('/f/Discovery 1.chd', ['/f/Discovery 2.chd'], []);
  for (const end of ['.chd', '.bin.cue', '.iso.bin.cue', ''])
    t.equal(labelOf(`/f/Quest (Disc 1)${end}`), 'Quest (Disc 1)', end);
  t.end();
});

/** Writes files, and makes the game among them ready as if they had been unpacked. */
async function prepared(t: Test, files: Record<string, string | Buffer>) {
  const folder = t.testdir({});
  for (const [file, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, file)), { recursive: true });
    await writeFile(join(folder, file), content);
  }
  const { path, body, discs } = await prepareFiles(games, folder, 'game.zip');
  const read = (file: string) => readFile(join(folder, file), 'utf8');
  return { game: relative(folder, path), body: relative(folder, body), discs, read };
}

t.test('an archive of discs without a playlist is given one', async t => {
  const { game, body, discs, read } = await prepared(t, {
    'Quest (Disc 2).chd': CHD,
    'Quest (Disc 10).chd': CHD,
    'Quest (Disc 1).chd': CHD,
    'Soundtrack.chd': CHD,
  });
  t.equal(await read(game), 'Quest (Disc 1).chd\nQuest (Disc 2).chd\nQuest (Disc 10).chd\n');
  t.same([game, body], ['game.m3u', 'Quest (Disc 1).chd'], 'its saves are those of the first disc');
  t.same(discs, ['Quest (Disc 1)', 'Quest (Disc 2)', 'Quest (Disc 10)']);
});

t.test('sheets of discs are rewritten, tracks without one are given one', async t => {
  const cues = await prepared(t, {
    'Disc 1/quest.cue': sheet('QUEST.BIN'),
    'Disc 1/quest.bin': SECTOR,
    'Disc 2/quest.cue': sheet('quest (Track 1).bin'),
    'Disc 2/quest (track 1).bin': Buffer.concat([SECTOR, SECTOR]),
  });
  t.equal(await cues.read(cues.game), 'quest.cue\n../Disc 2/quest.cue\n');
  t.equal(await cues.read('Disc 1/quest.cue'), sheet('quest.bin'));
  t.equal(await cues.read('Disc 2/quest.cue'), sheet('quest (track 1).bin'));
  t.equal(cues.body, 'Disc 2/quest (track 1).bin');
  const tracks = await prepared(t, { 'quest cd1.bin': SECTOR, 'quest cd2.bin': SECTOR });
  t.equal(await tracks.read(tracks.game), 'quest cd1.bin.cue\nquest cd2.bin.cue\n');
  t.equal(await tracks.read('quest cd2.bin.cue'), sheet('quest cd2.bin'));
  t.same([tracks.body, tracks.discs], ['quest cd1.bin', ['quest cd1', 'quest cd2']]);
  const images = await prepared(t, { 'quest cd1.iso': ISO, 'quest cd2.iso': ISO });
  t.equal(await images.read(images.game), 'quest cd1.iso.bin.cue\nquest cd2.iso.bin.cue\n');
  t.equal(images.body, 'quest cd1.iso.bin');
  t.equal(await images.read('quest cd1.iso.bin.cue'), sheet('quest cd1.iso.bin'));
});

t.test('a playlist names discs in its own order, also such without a sheet', async t => {
  const { game, discs, read } = await prepared(t, {
    'quest.m3u': '# both\nSECOND.bin\nfirst.cue\n',
    'first.cue': sheet('first.bin'),
    'first.bin': SECTOR,
    'second.bin': SECTOR,
  });
  t.equal(await read(game), '# both\nsecond.bin.cue\nfirst.cue\n');
  t.same(discs, ['second', 'first']);
  t.equal(await read('second.bin.cue'), sheet('second.bin'));
});

t.test('a disc that is none is refused', async t => {
  await t.rejects(
    prepared(t, { 'quest cd1.cue': sheet('quest cd1.bin'), 'quest cd1.bin': SECTOR, 'quest cd2.cue': sheet('no.bin') }),
    {
      name: 'RomProblem',
      message: 'The .cue file names "no.bin", which is not beside it.',
    },
  );
});

t.test('programs have no discs', async t => {
  const program = Buffer.concat([Buffer.from('PS-X EXE'), Buffer.alloc(2040)]);
  const { game, discs } = await prepared(t, { 'Quest (Disc 1).exe': program, 'Quest (Disc 2).exe': program });
  t.match(game, /game\.cue$/);
  t.notOk(discs?.length);
});

/** An emulator with a drive, and what is told of it. */
function drive(inside: DiscInside | null) {
  const asked: (number | undefined)[] = [];
  const told: Discs[] = [];
  const emulator = {
    discs: async (disc?: number) => {
      asked.push(disc);
      return inside;
    },
  } as Partial<Emulator> as Emulator;
  return {
    run: { emulator, ended: new AbortController().signal },
    asked,
    told,
    discs: new GameDiscs(each => told.push(each)),
  };
}

t.test('a change is told once the disc is inside, and each only once', async t => {
  const inside = { disc: 1, count: 2 };
  const { run, asked, told, discs } = drive(inside);
  t.throws(() => discs.several(), { code: 'one_disc' });
  await discs.look(run, ['a', 'b']);
  await discs.look(run, ['a', 'b']);
  const [one, two] = [1, 2].map(disc => ({ type: 'discs', disc, labels: ['a', 'b'] }));
  t.same(told, [one]);
  await t.rejects(discs.change(run, 2, ['a', 'b']), { code: 'disc_not_changed' });
  inside.disc = 2;
  await discs.change(run, 2, ['a', 'b']);
  t.same([told, discs.current], [[one, two], two]);
  for (const disc of [0, 3, 1.5]) {
    const message = 'The disc must be a whole number from 1 to 2.';
    await t.rejects(discs.change(run, disc, ['a', 'b']), { code: 'invalid_arguments', message });
  }
  t.same(asked, [undefined, undefined, 2, 2]);
});

t.test('discs in one file are numbered', async t => {
  const { run, told, discs } = drive({ disc: 2, count: 3 });
  await discs.look(run, []);
  t.same(told, [{ type: 'discs', disc: 2, labels: ['Disc 1', 'Disc 2', 'Disc 3'] }]);
});

t.test('a game with one disc has none to change to, nor one whose emulator is silent', async t => {
  for (const inside of [{ disc: 1, count: 1 }, null]) {
    const { run, told, discs } = drive(inside);
    await discs.look(run, []);
    await t.rejects(discs.change(run, 1, []), { code: 'one_disc', message: 'This game has no other disc.' });
    t.same(told, []);
  }
});

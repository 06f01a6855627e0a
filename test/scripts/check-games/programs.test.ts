/** Which programs are found, what goes to the service, what they are compared with, and what is written down. */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { decode, encode } from 'fast-png';
import { unzipSync } from 'fflate';
import t from 'tap';
import { readOptions } from '../../../scripts/check-games/options.js';
import { findPrograms, packed, referenceOf } from '../../../scripts/check-games/programs.js';
import { readReference } from '../../../scripts/check-games/reference.js';
import { line } from '../../../scripts/check-games/report.js';
import type { Result } from '../../../scripts/check-games/result.js';
import { Results } from '../../../scripts/check-games/store.js';

const folder = t.testdir();
const files = {
  'a/Game.NES': 'nes',
  'a/game.png': 'picture',
  'a/read me.txt': 'text',
  'b/game.sfc': 'snes',
  'c/disc.cue':
    'FILE "DISC\\track.bin" BINARY\n TRACK 01 MODE2/2352\nFILE "../../secret" BINARY\nFILE "gone.bin" BINARY',
  'c/DISC/track.bin': 'data',
};
for (const [name, content] of Object.entries(files)) {
  await mkdir(dirname(join(folder, name)), { recursive: true });
  await writeFile(join(folder, name), content);
}

const RESULT: Result = {
  name: 'a/Game.NES',
  type: 'nes',
  verdict: 'plays',
  ended: null,
  hasRun: true,
  restarts: 0,
  contents: [],
  moved: 0.5,
  fps: 60,
  peak: 0.3,
  similarity: null,
  report: { passed: 3, failed: 0 },
};

t.test('programs are found by extension', async t => {
  const names = async (...args: Parameters<typeof findPrograms>) =>
    (await findPrograms(...args)).map(({ name, type }) => `${type} ${name}`);
  t.same(await names(folder, null), ['nes a/Game.NES', 'snes b/game.sfc', 'ps1 c/disc.cue']);
  t.same(await names(folder, 'snes'), ['snes b/game.sfc']);
  t.same(await names(join(folder, 'a/Game.NES'), null), ['nes Game.NES']);
});

t.test('a disc is archived with the files it names, and nothing else', async t => {
  const [game, , disc] = await findPrograms(folder, null);
  t.same(await packed(game!), { name: 'Game.NES', content: Buffer.from('nes') });
  const { name, content } = await packed(disc!);
  t.equal(name, 'disc.zip');
  t.same(Object.keys(unzipSync(content)).sort(), ['DISC/track.bin', 'disc.cue']);
});

t.test("the reference picture has the program's name", async t => {
  const [game, other] = await findPrograms(folder, null);
  t.equal(await referenceOf(game!, folder), join(folder, 'a/game.png'));
  t.equal(await referenceOf(other!, folder), null);
  t.equal(await referenceOf(game!, join(folder, 'nowhere')), null);
});

t.test('a reference picture that cannot be read is reported with the program', async t => {
  const [game, other] = await findPrograms(folder, null);
  const problem = `${join(folder, 'a/game.png')}: it is no picture, not a PNG`;
  t.same(await readReference(game!, folder), { picture: null, problem });
  t.same(await readReference(other!, folder), { picture: null });
  await writeFile(
    join(folder, 'b/game.png'),
    encode({ width: 1, height: 1, channels: 3, depth: 8, data: Uint8Array.of(1, 2, 3) }),
  );
  const picture = { width: 1, height: 1, data: Uint8Array.of(1, 2, 3) };
  t.same(await readReference(other!, folder), { picture });
  t.match(line({ ...RESULT, notCompared: problem }), `not compared with ${problem}`);
});

t.test('a line says what ended a program, or that it never ran', async t => {
  t.equal(
    line({ ...RESULT, verdict: 'hung', ended: { reason: 'hung', message: 'Still.' } }),
    'hung     a/Game.NES  Still.',
  );
  t.equal(
    line({ ...RESULT, verdict: 'crashed', ended: { reason: 'failed', message: 'Gone.' } }),
    'crashed  a/Game.NES  failed: Gone.',
  );
});

t.test('invalid variables are refused by name', async t => {
  t.match(readOptions({ FOLDER: '/games' }), { folder: '/games', type: null, reference: null, jobs: 2, seconds: 8 });
  for (const [name, value] of [
    ['FOLDER', ''],
    ['TYPE', 'ps5'],
    ['JOBS', '0'],
    ['JOBS', 'many'],
    ['DURATION', '1000'],
  ] as const) {
    t.throws(() => readOptions({ FOLDER: '/games', [name]: value }), { message: new RegExp(name) });
  }
});

t.test('results are stored one by one, can be continued, and end in a sheet and a table', async t => {
  const out = t.testdir();
  const first = await Results.open(out, false);
  await first.add(RESULT, null);
  await first.add({ ...RESULT, name: 'later.nes', verdict: 'failed', report: null }, null);
  const second = await Results.open(out, true);
  t.equal(second.has('a/Game.NES'), true);
  t.equal(second.has('later.nes'), false, 'what was nobody’s fault is tried again');
  t.match(await second.finish(), /^nes +2 +1 +0 +0 +0 +0 +0 +0 +1 +50\.0 % +1 +0$/m);
  t.match(
    await readFile(join(out, 'results.txt'), 'utf8'),
    /^plays +a\/Game\.NES {2}moves 60\/s sound says: 3 passed$/m,
  );
  const { width, height, data } = decode(await readFile(join(out, 'sheet.png')));
  t.ok(width > 1000 && height > 100);
  t.ok(
    data.some(level => level > 200),
    'there is writing',
  );
  t.equal((await Results.open(out, false)).has('a/Game.NES'), false);
});

import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { PassThrough, Readable } from 'node:stream';
import t, { type Test } from 'tap';
import { GameReceiver } from '../../../src/agent/console/game-receiver.js';
import { RomProblem } from '../../../src/agent/console/rom/problem.js';
import { until } from '../../fixtures/until.js';

const quiet = { info: () => undefined, warn: () => undefined };

/** An intake, and what it told. */
function intake(t: Test, prepare: (name: string, ended: AbortSignal) => Promise<void> = async () => undefined) {
  const told: string[] = [];
  const file = `${t.testdir()}/download`;
  const it = new GameReceiver({
    file,
    log: quiet,
    prepare: (name, ended) => prepare(name, ended).then(() => void told.push(`prepared ${name}`)),
    missing: () => void told.push('missing'),
    unplayable: reason => void told.push(reason),
  });
  t.teardown(() => it.close());
  return { it, told, file };
}

const game = () => Readable.from([Buffer.from('game')]);

t.test('a game is accepted once', async t => {
  const { it, told, file } = intake(t);
  t.ok(it.isEmpty);
  await it.take(game(), 'one');
  await it.take(game(), 'two');
  t.same(told, ['prepared one']);
  t.equal(await readFile(file, 'utf8'), 'game');
  t.notOk(it.isEmpty);
});

t.test('a game that is already there is not accepted again', async t => {
  const file = `${t.testdir()}/download`;
  const fail = () => void t.fail('nothing is told');
  const it = new GameReceiver({
    file,
    isThere: true,
    log: quiet,
    prepare: async () => fail(),
    missing: fail,
    unplayable: fail,
  });
  t.notOk(it.isEmpty);
  await it.take(game(), 'one');
  t.notOk(existsSync(file));
});

t.test("a sender during another's transfer learns its result", async t => {
  let refuse: ((error: Error) => void) | undefined;
  const { it, told } = intake(t, () => new Promise((_resolve, reject) => (refuse = reject)));
  const both = [it.take(game(), 'one'), it.take(game(), 'two')];
  const heard = Promise.all(
    both.map(each =>
      each.then(
        () => 'taken',
        (error: Error) => error.message,
      ),
    ),
  );
  const preparing = await until('it is prepared', () => refuse && { refuse });
  preparing.refuse(new RomProblem('This is no game.'));
  t.same(await heard, ['This is no game.', 'This is no game.']);
  t.same(told, ['This is no game.'], 'and the end is told once');
});

t.test('when one is cut off another continues, or the game is requested again', async t => {
  const { it, told, file } = intake(t);
  const cut = new PassThrough();
  cut.write('ga');
  const first = it.take(cut, 'one');
  await until('nobody else is asked for it meanwhile', () => !it.isEmpty);
  const second = it.take(game(), 'two');
  cut.destroy(new Error('cut off'));
  await t.rejects(first, { message: 'cut off' });
  await second;
  t.same(told, ['missing', 'prepared two']);
  t.equal(await readFile(file, 'utf8'), 'game');
});

t.test('a game that cannot be prepared fails the session, with a reason', async t => {
  for (const [error, words] of [
    [Object.assign(new Error('write'), { code: 'ENOSPC' }), /larger than the space/],
    [new Error('unheard of'), /could not be unpacked/],
  ] as const) {
    const { it, told } = intake(t, () => Promise.reject(error));
    await t.rejects(it.take(game(), 'one'), { name: 'RomProblem', message: words });
    t.match(told, [words]);
    await t.rejects(it.take(game(), 'again'), { name: 'RomProblem', message: words });
    t.equal(told.length, 1);
  }
});

t.test('the end aborts transfers and preparation, and neither has an effect', async t => {
  const { it, told, file } = intake(t);
  const endless = new PassThrough();
  endless.write('ga');
  const taken = it.take(endless, 'one');
  await until('it comes in', () => existsSync(file));
  it.close();
  await t.rejects(taken);
  t.notOk(existsSync(file));
  await it.take(game(), 'two');

  const unpacking = intake(
    t,
    (_name, ended) =>
      new Promise((_resolve, reject) => ended.addEventListener('abort', () => reject(new Error('ended')))),
  );
  const prepared = unpacking.it.take(game(), 'one');
  await new Promise(resolve => setTimeout(resolve, 50));
  unpacking.it.close();
  await t.rejects(prepared);
  t.same([...told, ...unpacking.told], []);
  t.notOk(unpacking.it.isEmpty, 'it is not asked for again');
});

import t from 'tap';
import { choicesOf, crashedAll } from '../../../src/agent/console/choices.js';
import { Fallback, PROVEN_AFTER_MS } from '../../../src/agent/console/fallback.js';
import { KINDS } from '../../../src/agent/kinds/index.js';

const crash = { code: null, signal: 'SIGSEGV' } as const;
const killed = { code: null, signal: 'SIGKILL' } as const;
const exited = { code: 1, signal: null };
const short = { ms: 3000, hasPlayed: true, wentOn: false };

t.test('an emulator that crashes is followed by the next one, the last one by none', t => {
  const fallback = new Fallback(2);
  t.equal(fallback.index, 0);
  t.equal(fallback.ended(crash, short), 'next');
  t.equal(fallback.index, 1);
  t.equal(fallback.ended(crash, short), 'none');
  t.end();
});

t.test('a sole emulator is tried twice', t => {
  const fallback = new Fallback(1);
  t.equal(fallback.ended(crash, short), 'same');
  t.equal(fallback.ended(crash, short), 'none');
  t.end();
});

t.test('one that has played for long, or was killed, is restarted', t => {
  const fallback = new Fallback(2);
  t.equal(fallback.ended(killed, short), 'same');
  t.equal(fallback.ended({ code: null, signal: null }, short), 'same', 'nobody knows how it ended');
  t.equal(fallback.ended(crash, { ...short, ms: PROVEN_AFTER_MS }), 'same');
  t.equal(fallback.ended(crash, short), 'same', 'it has proven itself before');
  t.end();
});

t.test('one that crashes on loading a state is not given up on for that', t => {
  const fallback = new Fallback(2);
  t.equal(fallback.ended(crash, { ...short, wentOn: true }), 'same');
  t.equal(fallback.ended(crash, short), 'next');
  t.end();
});

t.test('one that exits before it has played counts as crashed, one that exits later does not', t => {
  t.equal(new Fallback(2).ended(exited, { ...short, hasPlayed: false }), 'next');
  t.equal(new Fallback(2).ended(exited, short), 'same', 'it lost the X server');
  t.end();
});

t.test('one that ends in good order counts as crashed: nobody has asked it to', t => {
  const finished = { code: 0, signal: null };
  t.equal(new Fallback(2).ended(finished, { ...short, hasPlayed: false }), 'next');
  t.equal(new Fallback(2).ended(finished, short), 'next');
  t.end();
});

t.test("a new agent continues with the previous one's choice", t => {
  t.equal(new Fallback(2, 1).index, 1);
  t.equal(new Fallback(2, -1).index, 0, 'one that is not there any more');
  t.end();
});

t.test('only choices that the image has count', t => {
  const image =
    (...cores: string[]) =>
    (file: string) =>
      cores.some(core => file.includes(core));
  t.same(
    choicesOf(KINDS.snes.games.choices, image('bsnes_mercury_performance')).map(({ name }) => name),
    ['bsnes_mercury_performance'],
  );
  t.same(
    choicesOf(KINDS.n64.games.choices, image('mupen64plus_next', 'rsp-z64')).map(({ name }) => name),
    ['mupen64plus_next', 'mupen64plus', 'mupen64plus_exact'],
  );
  t.equal(choicesOf(KINDS.n64.games.choices, image()).length, 1, 'one that fails to start, which is said');
  t.match(
    crashedAll(KINDS.n64.games, choicesOf(KINDS.n64.games.choices, image('rsp-z64'))),
    /\(mupen64plus, mupen64plus_exact\)\. .*BERTH_N64_CORE/,
  );
  t.match(
    crashedAll(KINDS.n64.games, choicesOf(KINDS.n64.games.choices, image('mupen64plus_next', 'rsp-z64'))),
    /\(mupen64plus_next, mupen64plus, mupen64plus_exact\)\.$/,
    'an image that has the core is not said to need it',
  );
  t.end();
});

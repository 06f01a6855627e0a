import t, { type Test } from 'tap';
import { AutomaticState, type States } from '../../../src/agent/console/automatic-state.js';
import type { Emulator, Status } from '../../../src/agent/console/emulator.js';
import { SerialQueue } from '../../../src/lib/serial-queue.js';

/** A game whose emulator can be started again, and what was done with its states. */
function game(t: Test, { kept }: { kept: boolean }) {
  const done: string[] = [];
  let isThere = kept;
  let silences = 0;
  let says: Status = 'playing';
  const status = async () => (silences-- > 0 ? null : says);
  const states: States = {
    has: async () => isThere,
    load: async (_run, slot) => void done.push(`load ${slot}`),
    save: async (_run, slot) => {
      done.push(`save ${slot}`);
      isThere = true;
    },
  };
  const state = new AutomaticState(new SerialQueue(), states);
  t.teardown(() => state.stop());
  let end = new AbortController();
  return {
    done,
    state,
    start: (how?: { isThere: boolean }) => {
      end = new AbortController();
      return state.started({ emulator: { status } as Emulator, ended: end.signal }, how);
    },
    die: () => end.abort(),
    /** It does not answer when it is asked the next times. */
    silence: (asks: number) => void (silences = asks),
    /** It answers so from now on. */
    say: (status: Status) => void (says = status),
  };
}

t.test('a saved game continues where it was left, a new one starts', async t => {
  const left = game(t, { kept: true });
  await left.start();
  t.same(left.done, ['load automatic']);
  const fresh = game(t, { kept: false });
  await fresh.start();
  t.same(fresh.done, []);
});

t.test('a game taken over from a previous agent continues as it is, and is saved', async t => {
  const { done, state, start } = game(t, { kept: true });
  const starting = start({ isThere: true });
  t.ok(state.hasPlayed);
  t.ok(await starting);
  await state.save();
  t.same(done, ['save automatic']);
});

t.test('nothing is saved before a game is back where it was left', async t => {
  const { done, state, start, die } = game(t, { kept: true });
  await state.save();
  const starting = start();
  await state.save();
  await starting;
  t.same(done, ['load automatic']);
  await state.save();
  t.same(done, ['load automatic', 'save automatic']);
  die();
  await state.save();
  t.equal(done.length, 2, 'nor while it does not run');
});

t.test('a state that kills the emulator twice is not loaded again, until there is a newer one', async t => {
  const { done, state, start, die } = game(t, { kept: true });
  for (let tries = 0; tries < 3; tries++) {
    await start();
    die();
  }
  t.same(done, ['load automatic', 'load automatic']);
  await start();
  await state.save();
  die();
  await start();
  t.same(done.slice(2), ['save automatic', 'load automatic']);
});

t.test('an emulator that is slow to answer is asked again at the last chance to save', async t => {
  const { done, state, start, silence } = game(t, { kept: false });
  await start();
  silence(2);
  await state.save();
  t.same(done, [], 'the next time will do');
  silence(2);
  await state.save({ last: true });
  t.same(done, ['save automatic']);
  silence(1000);
  await state.save({ last: true });
  t.equal(done.length, 1, 'one that never answers holds nothing up');
});

t.test('a paused game is saved at the last chance, and not before', async t => {
  const { done, state, start, say } = game(t, { kept: false });
  t.equal(await start(), true);
  say('paused');
  await state.save();
  t.same(done, []);
  await state.save({ last: true });
  t.same(done, ['save automatic']);
});

t.test('nothing more is awaited from an emulator that dies or is ended before it plays', async t => {
  const { done, state, start, die, silence } = game(t, { kept: true });
  silence(1e6);
  const dead = start();
  die();
  t.equal(await dead, false);
  const ended = start();
  state.stop();
  t.equal(await ended, false);
  t.same(done, []);
});

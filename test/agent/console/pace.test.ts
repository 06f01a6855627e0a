import t from 'tap';
import type { Status } from '../../../src/agent/console/emulator.js';
import { PaceKeeper, type Pace } from '../../../src/agent/console/pace.js';

/** An emulator that does what it is told, and what is told of it. */
function emulator() {
  const told: Pace[] = [];
  const done: string[] = [];
  const is = { obeying: true, statuses: [] as Status[] };
  const run = {
    ended: new AbortController().signal,
    emulator: {
      pause: async (on: boolean) => {
        done.push(`pause ${on}`);
        return is.obeying;
      },
      fastForward: async (on: boolean) => void done.push(`fast ${on}`),
      show: async () => void done.push('show'),
      status: async () => is.statuses.shift() ?? 'paused',
    },
  };
  const pace = new PaceKeeper(pace => void told.push(pace));
  return { run, pace, told, done, is };
}

t.test('a change is reported once it is made, and only if it is one', async t => {
  const { run, pace, told } = emulator();
  await pace.change(run, { paused: true });
  await pace.change(run, { paused: true });
  await pace.change(run, { fastForward: true });
  t.same(told, [
    { paused: true, fastForward: false },
    { paused: true, fastForward: true },
  ]);
  t.same(pace.current, { paused: true, fastForward: true });
});

t.test('a paused game gets its speed when it continues', async t => {
  const { run, pace, done } = emulator();
  await pace.change(run, { paused: true });
  await pace.change(run, { fastForward: true });
  t.same(done, ['pause true', 'pause true']);
  await pace.change(run, { paused: false });
  t.same(done.slice(2), ['pause false', 'fast true']);
});

t.test('an emulator that does not obey is an error, and nothing changes', async t => {
  const { run, pace, told, is } = emulator();
  is.obeying = false;
  await t.rejects(pace.change(run, { paused: true }), { code: 'agent_silent' });
  t.same([pace.current, told], [{ paused: false, fastForward: false }, []]);
});

t.test('the next emulator gets the pace of the previous one; if that fails, everybody is told', async t => {
  const first = emulator();
  await first.pace.resume(first.run);
  t.same(first.done, [], 'nothing, where it is as it is meant');
  await first.pace.change(first.run, { paused: true });
  const { run, done, is } = emulator();
  await first.pace.resume(run);
  t.same(done, ['pause true']);
  is.obeying = false;
  await first.pace.resume(run);
  t.same(first.told.at(-1), { paused: false, fastForward: false });
});

t.test('a paused game that plays some frames is waited for', async t => {
  const { run, pace, done, is } = emulator();
  await pace.change(run, { paused: true });
  is.statuses = ['paused', 'playing', 'playing', 'playing', null, 'paused'];
  await pace.rested(run);
  t.same(is.statuses, ['paused']);
  t.equal(done.at(-1), 'show');
});

t.test('an emulator taken over from a previous agent gets its pace, whatever it was told last', async t => {
  const { run, done } = emulator();
  const told: Pace[] = [];
  const asked = new PaceKeeper(pace => void told.push(pace), { paused: false, fastForward: true });
  t.same(asked.current, { paused: false, fastForward: true });
  await asked.enforce(run);
  await new PaceKeeper(pace => void told.push(pace)).enforce(run);
  t.same(done, ['pause false', 'fast true', 'pause false', 'fast false']);
  t.same(told, []);
});

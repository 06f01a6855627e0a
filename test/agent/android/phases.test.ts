import { setTimeout } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import t from 'tap';
import { Phases } from '../../../src/agent/android/device/phases.js';
import { until } from '../../fixtures/until.js';

/** Phases that each last a moment, unless told otherwise. */
const phases = (
  deadlines: Partial<Record<'connect' | 'boot' | 'picture' | 'lost', number>>,
  { stop = new AbortController(), first = 'connect' }: { stop?: AbortController; first?: 'connect' | 'boot' } = {},
) => new Phases({ connect: 60_000, boot: 60_000, picture: 60_000, lost: 60_000, ...deadlines }, stop.signal, first);

t.test('each phase that takes too long ends the session with its own code', async t => {
  for (const [phase, code, blame] of [
    ['connect', 'adb_unreachable', 'content'],
    ['boot', 'boot_timeout', 'content'],
    ['picture', 'no_picture', 'content'],
    ['lost', 'adb_unreachable', 'crash'],
  ] as const) {
    const it = phases({ [phase]: 1 });
    if (phase === 'lost') it.enter('running');
    it.enter(phase);
    await until('it is over', () => it.signal.aborted);
    t.match(it.problem, { code, blame }, phase);
  }
});

t.test('a phase that was reached does not begin anew when the device is lost meanwhile', async t => {
  const it = phases({});
  it.enter('boot');
  const { signal } = it;
  it.enter('connect');
  it.enter('boot');
  t.equal(it.current, 'boot');
  t.equal(it.signal, signal);
});

t.test('after a loss there is one deadline until there is a picture again', async t => {
  const it = phases({ boot: 1 });
  it.enter('running');
  it.enter('lost');
  const { signal } = it;
  for (const phase of ['connect', 'boot', 'app', 'picture'] as const) it.enter(phase);
  t.equal(it.current, 'lost');
  t.equal(it.signal, signal);
  t.equal(signal.aborted, false);
  it.enter('running');
  t.equal(it.current, 'running');
});

t.test('a device that is started for the session boots by its deadline, whatever answers meanwhile', async t => {
  const it = phases({ connect: 60_000, boot: 50 }, { first: 'boot' });
  const { signal } = it;
  for (const phase of ['connect', 'boot'] as const) it.enter(phase);
  t.equal(it.signal, signal);
  await until('it is over', () => signal.aborted);
  t.equal(it.problem.code, 'boot_timeout');
});

t.test('apps may take as long as they do, but what fails is not tried for ever', async t => {
  const stop = new AbortController();
  const it = phases({ lost: 50 }, { stop });
  it.enter('app');
  t.equal(it.signal, stop.signal, 'nothing but the end of the session ends it');
  it.failed();
  const { signal } = it;
  for (const phase of ['connect', 'boot', 'app'] as const) it.enter(phase);
  it.failed();
  t.equal(it.signal, signal, 'another failure does not begin anew');
  await until('it is over', () => signal.aborted);
  t.match(it.problem, { code: 'adb_unreachable', blame: 'content', message: /could not be made ready/ });
  const other = phases({ lost: 1 });
  other.enter('app');
  other.failed();
  other.enter('picture');
  t.equal(other.current, 'picture');
});

t.test('what fails while the device runs is a loss', async t => {
  const it = phases({});
  it.enter('running');
  it.failed();
  t.equal(it.current, 'lost');
});

t.test('the end of the session ends every phase', async t => {
  const stop = new AbortController();
  const it = phases({}, { stop });
  for (const phase of ['boot', 'app', 'picture', 'running', 'lost'] as const) it.enter(phase);
  stop.abort();
  t.equal(it.signal.aborted, true);
});

t.test('a deadline is kept when memory is collected meanwhile', async t => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const it = phases({ picture: 200 });
  it.enter('picture');
  await setTimeout(20);
  collect();
  await until('it is over', () => it.signal.aborted);
  t.equal(it.problem.code, 'no_picture');
});

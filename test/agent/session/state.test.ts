import t from 'tap';
import { next, type State } from '../../../src/agent/session/state.js';

const after = (state: State, ...events: Parameters<typeof next>[1][]) => events.reduce(next, state).state;

t.test('a session starts, runs, is interrupted and runs again', async t => {
  t.equal(after({ state: 'idle' }, { type: 'windows', count: 0 }), 'idle');
  t.equal(after({ state: 'idle' }, { type: 'launched' }), 'starting');
  t.equal(after({ state: 'starting' }, { type: 'lost' }), 'starting', 'before it ran it still starts');
  t.equal(after({ state: 'starting' }, { type: 'windows', count: 1 }), 'running');
  t.equal(after({ state: 'running' }, { type: 'launched' }), 'running', 'launched again');
  t.equal(after({ state: 'running' }, { type: 'lost' }, { type: 'windows', count: 0 }), 'restarting');
  t.equal(after({ state: 'restarting' }, { type: 'windows', count: 1 }), 'running');
});

t.test('a failure is final and keeps its reason', async t => {
  const failed = next({ state: 'running' }, { type: 'failed', message: 'why' });
  t.same(next(failed, { type: 'windows', count: 1 }), { state: 'failed', message: 'why', cause: 'crash' });
});

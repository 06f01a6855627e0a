import { once } from 'node:events';
import { setImmediate as turn } from 'node:timers/promises';
import t from 'tap';
import { withDeadline } from '../../../src/server/lib/deadline.js';
import { collect } from '../../fixtures/collect.js';

t.test('it fires even if nothing but its waiter is left when garbage is collected', async t => {
  // Such timeouts alone do not keep a process going.
  const going = setInterval(() => {}, 1000);
  t.teardown(() => clearInterval(going));
  const signal = withDeadline(200, new AbortController().signal);
  const aborted = once(signal, 'abort');
  await turn();
  collect();
  await aborted;
  t.equal((signal.reason as Error).name, 'TimeoutError');
});

t.test('an earlier abort is passed on', async t => {
  const controller = new AbortController();
  const signal = withDeadline(60_000, controller.signal);
  controller.abort(new Error('changed my mind'));
  t.match(signal.reason, { message: 'changed my mind' });
});

/** What users do is recorded in few transactions, within bounds. */
import { pino } from 'pino';
import t, { type Test } from 'tap';
import { EventRecorder } from '../../../src/server/sessions/events/recorder.js';
import { LiveSessions } from '../../../src/server/sessions/live-sessions.js';
import type { ViewerBatch } from '../../../src/server/store/index.js';
import { makeSession } from '../../fixtures/services/session-rows.js';
import { until } from '../../fixtures/until.js';

/** A recorder, and what it has written to a store that fails as often as told. */
function recording(t: Test, failures = 0) {
  const batches: ViewerBatch[][] = [];
  let failed = 0;
  const store = {
    record: async (given: readonly ViewerBatch[]) => {
      if (failed++ < failures) throw new Error('The database is gone.');
      batches.push([...given]);
    },
  };
  const recorder = new EventRecorder(store, pino({ level: 'silent' }));
  t.teardown(() => recorder.stop());
  const bodies = () => batches.flat().flatMap(({ events }) => events.map(({ body }) => body));
  const live = new LiveSessions().add(makeSession());
  return { recorder, live, batches, bodies, attendance: recorder.of(live) };
}

t.test('500 joins in a moment are written at once, in order', async t => {
  const { attendance, batches, bodies } = recording(t);
  for (let i = 0; i < 500; i++) attendance.joined({ id: `user-${i}`, admin: false, name: 'Guest 1' });
  await until('they are written', () => bodies().length === 500);
  t.ok(batches.length <= 2, `${batches.length} transactions`);
  t.same(
    bodies().map(body => 'user_id' in body && body.user_id),
    Array.from({ length: 500 }, (_, i) => `user-${i}`),
  );
});

t.test('what could not be written is written later, as the same events', async t => {
  const { attendance, bodies, recorder } = recording(t, 1);
  attendance.joined({ id: 'ada', admin: true, name: 'Guest 1' });
  await recorder.flush();
  t.same(bodies(), []);
  attendance.left('ada');
  await recorder.flush();
  t.match(bodies(), [
    { event: 'user_joined', user_id: 'ada', admin: true },
    { event: 'user_left', user_id: 'ada' },
  ]);
});

t.test('a loop of joins and leaves costs a bounded number of events, and nobody stays who has left', async t => {
  const { attendance, bodies, recorder } = recording(t);
  attendance.joined({ id: 'ada', admin: false, name: 'Guest 1' });
  for (let i = 0; i < 20_000; i++) {
    attendance.joined({ id: `loop-${i}`, admin: false, name: 'Guest 1' });
    attendance.left(`loop-${i}`);
    if (i % 500 === 0) await recorder.flush();
  }
  attendance.joined({ id: 'bob', admin: false, name: 'Guest 1' });
  await recorder.flush();
  t.ok(bodies().length <= 2100, `${bodies().length} events`);
  const present = new Set<string>();
  for (const body of bodies()) {
    if (body.event === 'user_joined') present.add(body.user_id);
    if (body.event === 'user_left') t.ok(present.delete(body.user_id), 'who leaves had joined');
  }
  t.ok(present.has('ada'));
  await until('the rest is told when there is room again', () => {
    const told = bodies();
    return told.some(body => body.event === 'user_joined' && body.user_id === 'bob');
  });
});

t.test('control is told at most once a second, with the state at that time, and only if it is another', async t => {
  const { attendance, bodies, recorder } = recording(t);
  let controllers = ['ada'];
  const change = (...ids: string[]) => {
    controllers = ids;
    attendance.controlChanged(() => controllers);
  };
  change('ada');
  await recorder.flush();
  for (let i = 0; i < 100; i++) change(i % 2 === 0 ? 'bob' : 'ada');
  change('bob', 'ada');
  await recorder.flush();
  t.match(bodies(), [{ event: 'control_changed', controllers: ['ada'], count: 1 }]);
  t.equal(bodies().length, 1);
  await until('the newest state is told', () => bodies().length === 2);
  t.match(bodies()[1], { controllers: ['bob', 'ada'], count: 2 });
  change('ada', 'bob');
  attendance.joined({ id: 'eve', admin: false, name: 'Guest 1' });
  await until('what follows', () => bodies().length >= 3);
  t.equal(bodies()[2]?.event, 'user_joined');
});

t.test('of the controllers at most 100 are named', async t => {
  const { attendance, bodies, recorder } = recording(t);
  attendance.controlChanged(() => Array.from({ length: 500 }, (_, i) => `user-${i}`));
  await recorder.flush();
  const [event] = bodies();
  if (event?.event !== 'control_changed') throw new Error('no such event');
  t.same([event.controllers.length, event.count], [100, 500]);
});

t.test('a session that has ended is not recorded any more', async t => {
  const { attendance, bodies, recorder, live } = recording(t);
  attendance.joined({ id: 'ada', admin: false, name: 'Guest 1' });
  live.abort(new Error('ended'));
  await recorder.flush();
  t.same(bodies(), []);
});

import { pino } from 'pino';
import t from 'tap';
import {
  TimeoutScheduler,
  type TimeoutSchedulerOptions,
} from '../../../src/server/sessions/timeouts/timeout-scheduler.js';
import { clock } from '../../../src/server/lib/clock.js';
import { LiveSessions } from '../../../src/server/sessions/live-sessions.js';
import type { Ending } from '../../../src/server/model/session.js';
import { makeSession } from '../../fixtures/services/session-rows.js';
import { until } from '../../fixtures/until.js';

t.test('a timer that fires early is not put off to the next second', async t => {
  // Here timers come when nine tenths of their time are over.
  const { now } = clock;
  const begun = now();
  clock.now = () => Math.floor(begun + (now() - begun) * 0.9);
  t.teardown(() => void (clock.now = now));

  const session = makeSession({
    createdAt: begun,
    state: { type: 'running' },
    timeouts: { absolute: 300, inactive: null, offline: null, warning: null },
  });
  let looks = 0;
  const ended: { at: number; ending: Ending }[] = [];
  const liveSessions = new LiveSessions();
  liveSessions.add(session);
  const timeoutScheduler = new TimeoutScheduler({
    replica: 'replica',
    log: pino({ level: 'silent' }),
    liveSessions,
    store: {
      sessions: {
        // Due once: what is put off to another look is never done.
        due: async () => (looks++ === 0 ? [{ session, at: begun + 300 }] : []),
      },
    },
    activity: { save: async () => undefined },
    terminator: { end: async (_id: string, ending: Ending) => void ended.push({ at: clock.now(), ending }) },
  } as unknown as TimeoutSchedulerOptions);
  timeoutScheduler.start();
  t.teardown(() => timeoutScheduler.stop());

  await until('the session is ended', () => ended.length > 0);
  t.match(ended, [{ ending: { reason: 'absolute', at: begun + 300 } }]);
  t.ok((ended[0]?.at ?? 0) >= begun + 300, 'not before its time');
});

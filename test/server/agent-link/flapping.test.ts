/** An agent that provokes what the service does once per link, or per message, is not served faster for that. */
import t from 'tap';
import { serveInProcess } from '../../fixtures/services/in-process.js';
import { startFakedSession } from '../../fixtures/services/faked-session.js';
import { until } from '../../fixtures/until.js';

const linesOf = (log: string, text: string) =>
  log.split('\n').filter(line => line.includes(`"msg":"${text}"`)) as readonly string[];

t.test('a link that its agent closes at once is reopened at ever longer intervals, and logged once', async t => {
  const service = await serveInProcess(t, { BERTH_LOG_LEVEL: 'info' });
  await startFakedSession(t, {}, service);
  const { agent } = service;
  const openedAt: number[] = [];
  agent.onLaunch = () => {
    openedAt.push(performance.now());
    queueMicrotask(() => agent.breakLinks());
    return {};
  };
  agent.breakLinks();
  await until('it was reopened', () => openedAt.length === 8);
  const pauses = openedAt.slice(1).map((at, i) => at - (openedAt[i] ?? 0));
  t.ok((pauses.at(-1) ?? 0) > 700, `${pauses.map(Math.round).join(', ')} ms`);
  t.equal(linesOf(service.log(), 'link lost').length, 1);
});

t.test('an encoder that changes all the time is logged once a minute, and briefly', async t => {
  const service = await serveInProcess(t, { BERTH_LOG_LEVEL: 'info' });
  await startFakedSession(t, {}, service);
  for (let i = 0; i < 100; i++)
    service.agent.tell({ type: 'encoder', encoder: `software${i}`.slice(0, 32), reason: `${i}`.padEnd(400, 'x') });
  service.agent.onLaunch = () => ({ error: 'done' });
  service.agent.breakLinks();
  await until('all have come', () => linesOf(service.log(), 'link lost').length > 0);
  const [line = '', ...more] = linesOf(service.log(), 'encoder');
  t.same(more, []);
  t.ok(line.length > 100 && line.length < 500, `${line.length} characters`);
});

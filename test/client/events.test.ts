import t from 'tap';
import { BerthClient, type FeedEvent } from '../../src/client/index.js';
import { forkService } from '../fixtures/services/forked-service.js';
import { serveInProcess } from '../fixtures/services/in-process.js';
import { until } from '../fixtures/until.js';

t.test('events are followed with their types, and the iteration may end at any of them', async t => {
  const { url, apiKey } = await serveInProcess(t);
  const berth = new BerthClient({ url, apiKey });
  const { session_id } = await berth.start({ tenant_id: 'a' });
  await berth.start({ tenant_id: 'b' });
  const names: string[] = [];
  let cursor = '';
  for await (const event of berth.events({ after: '0', tenant_id: 'a' })) {
    names.push(event.event);
    cursor = event.cursor;
    if (event.event === 'running') await berth.end(session_id);
    if (event.event !== 'ended') continue;
    t.equal(event.reason, 'request');
    break;
  }
  t.same(names, ['started', 'running', 'ended']);
  for await (const event of berth.events({ after: '0', session_id, names: ['ended', 'started'] })) {
    names.push(event.event);
    if (event.cursor === cursor) break;
  }
  t.same(names.slice(3), ['started', 'ended']);
});

t.test('they go on after the service was killed', async t => {
  const service = await forkService(t, {});
  const berth = new BerthClient(service);
  const stop = new AbortController();
  const events: FeedEvent[] = [];
  const following = (async () => {
    for await (const event of berth.events({ after: '0', signal: stop.signal })) events.push(event);
  })();
  await berth.start();
  await until('the first session', () => events.length === 2);
  await service.restart();
  await berth.start();
  await until('the second session', () => events.filter(({ event }) => event === 'running').length === 2);
  t.equal(new Set(events.map(({ id }) => id)).size, events.length, 'each came once');
  const ended = new Error('enough');
  stop.abort(ended);
  await t.rejects(following, ended);
});

t.test('what the service refuses is an error, and events that are gone are told', async t => {
  const { url, apiKey } = await serveInProcess(t);
  const first = async (client: BerthClient, options: Parameters<BerthClient['events']>[0]) => {
    for await (const event of client.events(options)) return event;
    return undefined;
  };
  await t.rejects(first(new BerthClient({ url, apiKey: 'wrong' }), {}), {
    name: 'BerthError',
    status: 401,
  });
  const berth = new BerthClient({ url, apiKey });
  await t.rejects(first(berth, { after: 'yesterday' }), { status: 400, message: /Last-Event-ID/ });
  const missed: string[] = [];
  const waiting = first(berth, { after: '4711', onMissed: after => void missed.push(after) });
  await until('it is told', () => missed.length === 1);
  await berth.start();
  t.match(await waiting, { event: 'started' });
  t.same(missed, ['4711']);
});

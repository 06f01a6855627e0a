/** The feed of events, read from a whole service with an agent that is faked. */
import t, { type Test } from 'tap';
import { pino } from 'pino';
import type { Response as ExpressResponse } from 'express';
import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { EventFeed } from '../../../src/server/http/event-feed.js';
import { startFakedSession } from '../../fixtures/services/faked-session.js';
import { readEvents, untilNamed } from '../../fixtures/services/event-reader.js';
import { serveInProcess } from '../../fixtures/services/in-process.js';
import { webhookReceiver } from '../../fixtures/services/webhook-receiver.js';
import { until } from '../../fixtures/until.js';

t.test('a session is followed from its start to its end, by feed and webhook alike', async t => {
  const service = await serveInProcess(t);
  const { received, url } = await webhookReceiver(t, 200);
  const reader = await readEvents(service);
  t.equal(reader.status, 200);
  t.match(reader.response.headers, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
  const events = { webhook: { url, bearer: 'the-bearer' } };
  const session = await startFakedSession(
    t,
    { tenant_id: 'a', metadata: { plan: 'pro' }, user_names: true, events },
    service,
  );
  const viewer = await session.join({ admin_token: session.adminToken, name: 'Ada' });
  await untilNamed(reader, 'user_joined', 'control_changed');
  const { results } = { results: (await session.call('GET', '/users')).body as { user_id: string }[] };
  viewer.leave();
  await untilNamed(reader, 'user_left');
  await service.api('DELETE', `/v0/vm/${session.id}`);
  const all = await untilNamed(reader, 'ended');
  t.match(
    all.filter(({ event }) => event !== 'control_changed'),
    [
      { event: 'started', session_id: session.id, tenant_id: 'a', metadata: { plan: 'pro' } },
      { event: 'running' },
      { event: 'user_joined', user_id: results[0]?.user_id, admin: true, name: 'Ada' },
      { event: 'user_left', user_id: results[0]?.user_id },
      { event: 'ended', reason: 'request' },
    ],
  );
  await until('the webhook has them all', () => received.length === all.length);
  t.same(
    received.map(({ body }) => JSON.parse(body) as unknown),
    all,
    'in the same order',
  );
  for (const { headers, body } of received) {
    const { id } = JSON.parse(body) as { id: string };
    t.match(headers, { 'idempotency-key': id, 'webhook-id': id, authorization: 'Bearer the-bearer' });
    t.match(headers['webhook-signature'], /^v1,/);
  }
  reader.leave();
});

t.test('a crash is told, then the end', async t => {
  const service = await serveInProcess(t);
  const reader = await readEvents(service);
  const session = await startFakedSession(t, {}, service);
  service.engine.running.delete(session.id);
  service.engine.events?.exited(session.id, { type: 'out-of-memory', at: Date.now() });
  const all = await untilNamed(reader, 'crashed', 'ended');
  t.match(all.slice(-2), [
    { event: 'crashed', message: 'The session ran out of memory.' },
    { event: 'ended', reason: 'crashed', message: 'The session ran out of memory.' },
  ]);
  reader.leave();
});

t.test('a reader goes on after the event that it had last, and filters as lists do', async t => {
  const service = await serveInProcess(t);
  const first = await readEvents(service);
  await startFakedSession(t, { tenant_id: 'a' }, service);
  const [started] = await untilNamed(first, 'running');
  const { id: lastId = '' } = first.messages.find(({ event }) => event === 'started') ?? {};
  first.leave();
  const other = await startFakedSession(t, { tenant_id: 'b' }, service);

  const second = await readEvents(service, { lastId });
  await until('all that it has missed', () => second.events.length === 3);
  t.match(second.events, [{ event: 'running', session_id: started?.session_id }, { event: 'started' }, {}]);
  const all = await readEvents(service, { lastId: '0' });
  await until('all that are kept', () => all.events.length === 4);
  const ofTenant = await readEvents(service, { lastId: '0', query: '?tenant_id=b&names=running,ended' });
  await until('those of a tenant', () => ofTenant.events.length === 1);
  t.match(ofTenant.events, [{ event: 'running', session_id: other.id }]);
  const ofSession = await readEvents(service, { query: `?session_id=${other.id}` });
  await service.api('DELETE', `/v0/vm/${other.id}`);
  await untilNamed(ofTenant, 'ended');
  t.match(await untilNamed(ofSession, 'ended'), [{ event: 'ended', session_id: other.id }]);
  for (const reader of [second, all, ofTenant, ofSession]) reader.leave();
});

t.test('what is wrong with a request is named', async t => {
  const service = await serveInProcess(t);
  for (const lastId of ['x', '-1', '1.5', '01', '1e3', '9'.repeat(16), '1 2']) {
    const answer = await fetch(`${service.url}/v0/events`, {
      headers: { authorization: `Bearer ${service.apiKey}`, 'last-event-id': lastId },
    });
    t.equal(answer.status, 400, lastId);
    t.match(await answer.json(), {
      code: 'bad_request',
      message: /Last-Event-ID/,
      details: [{ path: 'Last-Event-ID' }],
    });
  }
  for (const query of ['names=ended,died', 'names=', 'session_id=x', 'colour=red'])
    if (query !== 'names=') {
      const answer = await service.api('GET', `/v0/events?${query}`);
      t.match([answer.status, await answer.json()], [400, { code: 'invalid_query' }], query);
    }
  const stranger = await fetch(`${service.url}/v0/events`, { headers: { authorization: 'Bearer wrong' } });
  t.equal(stranger.status, 401);
  const head = await service.api('HEAD', '/v0/events');
  t.equal(head.status, 200, 'HEAD has an end');
});

t.test('a receiver that must not be called is refused, and so are names that are not known', async t => {
  const service = await serveInProcess(t);
  const start = (events: object) => service.api('POST', '/v0/vm', { events });
  const own = await start({ webhook: { url: `${service.url}/v0/vm` } });
  t.match(
    [own.status, await own.json()],
    [422, { code: 'webhook_refused', details: [{ path: '/events/webhook/url' }] }],
  );
  const unknown = await start({ webhook: { url: 'https://backend.example/' }, names: ['ended', 'died'] });
  t.match([unknown.status, await unknown.json()], [400, { details: [{ path: '/events/names/1' }] }]);
});

t.test('sessions that name no receiver use the one of the service, with the names that it wants', async t => {
  const own = await webhookReceiver(t, 200);
  const given = await webhookReceiver(t, 200);
  const service = await serveInProcess(t, {
    BERTH_EVENTS_URL: own.url,
    BERTH_EVENTS_BEARER: 'of the service',
    BERTH_EVENTS: 'running,ended',
  });
  const plain = await startFakedSession(t, {}, service);
  const other = await startFakedSession(t, { events: { webhook: { url: given.url }, names: ['ended'] } }, service);
  for (const { id } of [plain, other]) await service.api('DELETE', `/v0/vm/${id}`);
  await until('both have theirs', () => own.received.length === 2 && given.received.length === 1);
  const told = own.received.map(({ body }) => JSON.parse(body) as object);
  t.match(told, [
    { event: 'running', session_id: plain.id },
    { event: 'ended', session_id: plain.id },
  ]);
  t.equal(own.received[0]?.headers.authorization, 'Bearer of the service');
  t.match(JSON.parse(given.received[0]?.body ?? ''), { event: 'ended', session_id: other.id });
});

t.test('readers may leave and come back while nothing happens', async t => {
  const service = await serveInProcess(t);
  const first = await readEvents(service);
  await until('it is told where it is', () => first.lastId === '0');
  first.leave();
  const second = await readEvents(service);
  await startFakedSession(t, {}, service);
  await untilNamed(second, 'running');
  second.leave();
  await service.service.stop();
  t.pass('and the service stops');
});

/** A feed of its own, and events that are added to it. */
async function feedOf(t: Test, limits: Partial<ConstructorParameters<typeof EventFeed>[2] & object> = {}) {
  const events: { seq: number; name: string; body: string }[] = [];
  let pruned = 0;
  const store = {
    range: async () => ({ pruned, newest: events.at(-1)?.seq ?? pruned }),
    page: async (after: number, upTo: number, limit: number) =>
      events.filter(({ seq }) => seq > Math.max(after, pruned) && seq <= upTo).slice(0, limit),
  };
  const all = { readers: 3, lookMs: 20, quietMs: 60_000, stalledMs: 300, page: 10, ...limits };
  const feed = new EventFeed(store, pino({ level: 'silent' }), all);
  const server = createServer((request, response) => {
    Object.assign(response, {
      status(code: number) {
        response.statusCode = code;
        return response;
      },
      set(headers: Record<string, string>) {
        for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
        return response;
      },
    });
    const header = request.headers['last-event-id'] as string | undefined;
    const after = header === undefined ? null : Number(header);
    feed
      .read(response as unknown as ExpressResponse, { after, filter: {} })
      .catch((error: { status: number }) => void response.writeHead(error.status).end());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(async () => {
    await feed.stop();
    server.closeAllConnections();
    await new Promise(resolve => server.close(resolve));
  });
  return {
    feed,
    at: { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, apiKey: 'none' },
    add: (count: number, body = '{}') => {
      for (let i = 0; i < count; i++) events.push({ seq: (events.at(-1)?.seq ?? pruned) + 1, name: 'ended', body });
    },
    prune: (upTo: number) => (pruned = upTo),
  };
}

t.test('events of other replicas are found, also after the last reader has left and another has come', async t => {
  const { feed, at, add } = await feedOf(t);
  for (let round = 1; round <= 3; round++) {
    const reader = await readEvents(at);
    await until('it is told where it is', () => reader.lastId !== undefined);
    add(1);
    await until('the event', () => reader.events.length === 1);
    reader.leave();
    await until('nobody reads', () => feed.size === 0);
  }
  t.pass('nobody told the feed');
});

t.test('a reader is told that events after its last one are gone', async t => {
  const { at, add, prune } = await feedOf(t);
  add(50);
  prune(40);
  const late = await readEvents(at, { lastId: '7' });
  await until('the rest', () => late.events.length === 10);
  t.match(late.messages.filter(({ data }) => data !== undefined)[0], {
    id: '40',
    event: 'missed',
    data: '{"after":"7"}',
  });
  const punctual = await readEvents(at, { lastId: '40' });
  await until('the same', () => punctual.events.length === 10);
  t.notOk(punctual.messages.some(({ event }) => event === 'missed'));
  const fromTheFuture = await readEvents(at, { lastId: '1000' });
  await until('it goes on from here', () => fromTheFuture.messages.some(({ event }) => event === 'missed'));
  t.equal(fromTheFuture.lastId, '50');
});

t.test('a reader that takes nothing is disconnected, and holds up nobody', async t => {
  const { feed, at, add } = await feedOf(t);
  const stalled = await readEvents(at, { stalls: true });
  const quick = await readEvents(at);
  add(300, JSON.stringify({ text: 'x'.repeat(64 << 10) }));
  await until('the quick one has all', () => quick.messages.filter(({ data }) => data !== undefined).length === 300);
  await until('the other one is gone', () => feed.size === 1);
  t.equal(stalled.response.complete, false);
  quick.leave();
});

t.test('there are so many readers and no more, and who leaves makes room', async t => {
  const { feed, at } = await feedOf(t);
  const readers = await Promise.all(Array.from({ length: 3 }, () => readEvents(at)));
  t.equal((await readEvents(at)).status, 429);
  readers[0]?.leave();
  await until('there is room', () => feed.size === 2);
  t.equal((await readEvents(at)).status, 200);
});

t.test('without events a reader is told how far the feed is', async t => {
  const { at, add } = await feedOf(t, { quietMs: 50 });
  add(5);
  const reader = await readEvents(at);
  await until('it is told again', () => reader.messages.length >= 3);
  t.same(new Set(reader.messages.map(({ id, data }) => `${id} ${data}`)), new Set(['5 undefined']));
});

// tags: long
/** A service that is killed again and again, while its sessions start, are used and end. */
import t from 'tap';
import type { LifecycleEvent } from '../../src/protocol/generated/schemas.js';
import { forkService } from '../fixtures/services/forked-service.js';
import { readEvents, type EventReader } from '../fixtures/services/event-reader.js';
import { webhookReceiver } from '../fixtures/services/webhook-receiver.js';
import { StreamClient } from '../fixtures/viewers/stream-client.js';
import { until } from '../fixtures/until.js';

const KILLS = 20;

interface Started {
  session_id: string;
  embed_url: string;
}

t.test(`over ${KILLS} kills no event is lost, and none has two idempotency keys`, async t => {
  // Receivers that fail now and then.
  const { received, url } = await webhookReceiver(
    t,
    ...Array.from({ length: 200 }, (_, i) => (i % 7 === 3 ? 500 : 200)),
  );
  const service = await forkService(t, { BERTH_MAX_SESSIONS: '100' });
  const sessions = new Set<string>();
  const ended = new Set<string>();
  const known = new Set<string>();
  const readers: EventReader[] = [];
  const start = async () => {
    const answer = await service.api('POST', '/v0/vm', { events: { webhook: { url } } });
    const started = (await answer.json()) as Started;
    sessions.add(started.session_id);
    return started;
  };
  const join = ({ embed_url }: Started) => StreamClient.join(embed_url.replace('http', 'ws').replace('?', '/stream?'));
  for (let kill = 0; kill < KILLS; kill++) {
    const reader = await readEvents(service, { lastId: readers.at(-1)?.lastId ?? '0' });
    readers.push(reader);
    const session = await start();
    const viewer = await join(session);
    // What was answered or read is known for good, whenever the kill comes.
    known.add(`${session.session_id}-started`).add(`${session.session_id}-running`);
    await until('the user is told', () =>
      reader.events.some(({ event, session_id }) => event === 'user_joined' && session_id === session.session_id),
    );
    // Few live on, so that a start has little to resume.
    const over = [...sessions].slice(0, -3).filter(id => !ended.has(id));
    const ending = over.map(id => service.api('DELETE', `/v0/vm/${id}`).then(() => ended.add(id)));
    // Some of what is under way then is over, some is not.
    const under = [...ending, start(), join(session)].map(work => Promise.resolve(work).catch(() => undefined));
    if (kill % 3 !== 0) await Promise.race(under);
    await service.restart();
    await Promise.all(under);
    viewer.leave();
  }
  const last = await readEvents(service, { lastId: readers.at(-1)?.lastId ?? '0' });
  readers.push(last);
  const list = (await (await service.api('GET', '/v0/vm?state=all')).json()) as { results: { id: string }[] };
  for (const { id } of list.results) await service.api('DELETE', `/v0/vm/${id}`);
  const all = () => readers.flatMap(({ events }) => events);
  const of = (name: string) => all().filter(({ event }) => event === name);
  await until('all are told to have ended', () => of('ended').length >= list.results.length);
  await until(
    'the webhook has all',
    () => new Set(received.map(({ body }) => body)).size >= new Set(all().map(({ id }) => id)).size,
  );
  last.leave();

  const events = new Map<string, LifecycleEvent>();
  const seen = all();
  for (const event of seen) events.set(event.id, event);
  t.equal(seen.length, events.size, 'the feed has each event once');
  for (const id of known) t.ok(events.has(id), id);
  for (const { id } of list.results)
    for (const name of ['started', 'ended']) t.ok(events.has(`${id}-${name}`), `${id}-${name}`);
  const users = (name: string) =>
    of(name)
      .map(event => ('user_id' in event ? event.user_id : ''))
      .sort();
  t.ok(users('user_joined').length >= KILLS);
  t.same(users('user_left'), users('user_joined'), 'who had joined has left, once');

  // Both ways tell the same, and each event under one key.
  const keys = new Map<string, Set<string>>();
  for (const { headers, body } of received)
    keys.set(body, (keys.get(body) ?? new Set()).add(String(headers['idempotency-key'])));
  t.equal(keys.size, events.size);
  for (const [body, each] of keys) t.same([...each], [(JSON.parse(body) as LifecycleEvent).id]);
  for (const id of new Set(seen.map(({ session_id }) => session_id))) {
    const told = received
      .map(({ body }) => JSON.parse(body) as LifecycleEvent)
      .filter(event => event.session_id === id);
    const firsts = [...new Set(told.map(event => event.id))];
    t.same(
      firsts,
      seen.filter(event => event.session_id === id).map(event => event.id),
      'in order',
    );
  }
});

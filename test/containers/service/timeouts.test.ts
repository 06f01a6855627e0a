// tags: containers, waiting, slow
import t from 'tap';
import { StreamClient } from '../../fixtures/viewers/stream-client.js';
import { startService, type Service } from '../../fixtures/services/service.js';
import { containersOf } from '../../fixtures/engines/docker.js';
import { webhookReceiver } from '../../fixtures/services/webhook-receiver.js';
import { until } from '../../fixtures/until.js';

const TOLERANCE_MS = 1000;

async function start(service: Service, timeout: object) {
  const { status, body } = await service.api('POST', '/v0/vm', { timeout });
  if (status !== 201) throw new Error(`not started: ${JSON.stringify(body)}`);
  const created = Date.parse((await service.api('GET', `/v0/vm/${body.session_id}`)).body.creation_date);
  const url = new URL(body.embed_url);
  const stream = `ws://${url.host}${url.pathname}/stream${url.search}`;
  return { id: body.session_id as string, created, ready: Date.now(), join: () => StreamClient.join(stream) };
}

/** Waits for a session's end and returns its time and reason. */
async function ended(service: Service, id: string) {
  const record = await until('the end', async () => {
    const { body } = await service.api('GET', `/v0/vm/${id}`);
    return body.termination_date && body;
  });
  return { at: Date.parse(record.termination_date), reason: record.termination_reason as string };
}

const service = await startService(t);
const near = (actual: number, expected: number) => actual >= expected && actual <= expected + TOLERANCE_MS;

t.test('absolute: warned, ended on time, viewers and webhook told', async t => {
  const { received, url } = await webhookReceiver(t, 200);
  const { id, created, join } = await start(service, {
    // Long enough for a start on a busy machine.
    absolute: 16,
    warning: 3,
    webhook: { url, bearer: 'the-bearer' },
  });
  const viewer = await join();
  const warning = await viewer.heard('warning');
  t.equal(warning.timeout, 'absolute');
  t.equal(Date.parse(warning.close_date ?? ''), created + 16_000);
  const closed = viewer.closed();
  t.equal((await viewer.heard('end')).reason, 'absolute');
  t.equal(await closed, 4000);

  const end = await ended(service, id);
  t.equal(end.reason, 'absolute');
  t.ok(near(end.at, created + 16_000), `${end.at - created} ms`);
  await until('both events', () => received.length === 2);
  const [first, second] = received.map(({ body }) => JSON.parse(body));
  t.match(first, {
    session_id: id,
    type: 'absolute',
    event: 'warning',
    termination_date: new Date(created + 16_000).toISOString(),
  });
  t.ok(first.seconds_left > 1.9 && first.seconds_left <= 3, `${first.seconds_left} s left`);
  t.same(second, { session_id: id, type: 'absolute', event: 'timeout' });
  t.ok(near(received[0]?.at ?? 0, created + 13_000), 'the warning is on time');
  for (const { headers } of received) t.equal(headers.authorization, 'Bearer the-bearer');
  t.not(received[0]?.headers['idempotency-key'], received[1]?.headers['idempotency-key']);
});

t.test('offline: counts from the start, stops while somebody is connected, and then restarts', async t => {
  const alone = await start(service, { offline: 4, warning: null });
  const watched = await start(service, { offline: 4, warning: null });
  const viewer = await watched.join();
  const end = await ended(service, alone.id);
  t.equal(end.reason, 'offline');
  const since = { creation: end.at - alone.created, answer: end.at - alone.ready };
  t.ok(since.creation >= 4000 && since.answer <= 4000 + TOLERANCE_MS, JSON.stringify(since));
  t.equal((await service.api('GET', `/v0/vm/${watched.id}`)).body.termination_date, null);
  const left = Date.now();
  viewer.leave();
  const later = await ended(service, watched.id);
  t.equal(later.reason, 'offline');
  t.ok(near(later.at, left + 4000), `${later.at - left} ms after the last viewer left`);
});

t.test('inactive: counts from the last input, and input withdraws a warning', async t => {
  const { id, join } = await start(service, { inactive: 6, warning: 3 });
  const viewer = await join();
  await viewer.heard('warning', ({ timeout }) => timeout === 'inactive');
  const last = Date.now();
  viewer.input({ type: 'move', x: 0.5, y: 0.5 });
  await viewer.heard('warning', ({ timeout }) => timeout === undefined);
  const end = await ended(service, id);
  t.equal(end.reason, 'inactive');
  t.ok(near(end.at, last + 6000 - 50), `${end.at - last} ms after the last input`);
});

t.test('timeouts hold across a kill of the service, including those that expired meanwhile', async t => {
  const { received, url } = await webhookReceiver(t, 500, 200);
  const webhook = { url };
  const soon = await start(service, { absolute: 5, warning: null, webhook });
  const later = await start(service, { absolute: 15, warning: null });
  await service.kill9();
  await until('the first deadline is over', () => Date.now() > soon.created + 5000);
  await service.restart();
  const restarted = Date.now();
  const first = await ended(service, soon.id);
  t.equal(first.reason, 'absolute');
  t.equal(first.at, soon.created + 5000, 'ended at its deadline, not when the service was back');
  const second = await ended(service, later.id);
  const due = later.created + 15_000;
  t.ok(second.at >= due && second.at <= Math.max(due, restarted) + TOLERANCE_MS, `${second.at - later.created} ms`);
  await until('the event is repeated until it is taken', () => received.length === 2);
  t.equal(received[0]?.headers['idempotency-key'], received[1]?.headers['idempotency-key']);
});

t.test('no container is left over', async () => {
  await until('all are gone', async () => (await containersOf(service)).length === 0);
});

import { once } from 'node:events';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { pino } from 'pino';
import t, { type Test } from 'tap';
import { Store } from '../../../src/server/store/store.js';
import { backoff } from '../../../src/server/webhooks/outbox.js';
import { Circuits } from '../../../src/server/webhooks/circuits.js';
import { Outbox } from '../../../src/server/webhooks/outbox.js';
import { openWebhooks } from '../../fixtures/services/outbound.js';
import { webhookReceiver } from '../../fixtures/services/webhook-receiver.js';
import { keyring } from '../../fixtures/services/keyring.js';
import { makeSession } from '../../fixtures/services/session-rows.js';
import { until } from '../../fixtures/until.js';

const log = pino({ level: 'silent' });

async function outbox(t: Test, webhooks = openWebhooks()) {
  const store = await Store.open({ client: 'sqlite', filename: ':memory:' }, keyring);
  const box = new Outbox(store.outbox, webhooks, log);
  t.teardown(async () => {
    await box.stop();
    await store.close();
  });
  return { store, box };
}

const item = (url: string, changes: object = {}) => ({
  id: 'session-timeout-offline',
  sessionId: 'session',
  event: 'timeout' as 'timeout' | 'warning',
  url,
  bearer: 'the-bearer',
  secret: null as string | null,
  body: '{"type":"offline"}',
  createdAt: Date.now(),
  nextAt: Date.now(),
  attempts: 0,
  ...changes,
});

t.test('an item is delivered with its bearer and key, then deleted', async t => {
  const { received, url } = await webhookReceiver(t, 204);
  const { store, box } = await outbox(t);
  await store.outbox.add(item(url));
  box.wake();
  await until('the outbox is empty', async () => (await store.outbox.size()) === 0);
  t.equal(received.length, 1);
  t.match(received[0], {
    headers: {
      authorization: 'Bearer the-bearer',
      'content-type': 'application/json',
      'idempotency-key': 'session-timeout-offline',
    },
    body: '{"type":"offline"}',
  });
});

t.test('it is retried with the same key until a 2xx answer; redirects are not followed', async t => {
  const { received, url } = await webhookReceiver(t, 500, 302, 200);
  const { store, box } = await outbox(t);
  await store.outbox.add(item(url));
  box.wake();
  await until('the outbox is empty', async () => (await store.outbox.size()) === 0);
  t.equal(received.length, 3);
  t.equal(new Set(received.map(({ headers }) => headers['idempotency-key'])).size, 1);
});

t.test('it is kept while nobody answers, and delivered by the next service', async t => {
  const { store, box } = await outbox(t);
  await store.outbox.add(item('http://127.0.0.1:9/'));
  box.wake();
  await until('a try has failed', async () => ((await store.outbox.firsts())[0]?.attempts ?? 0) >= 1);
  await box.stop();
  t.equal(await store.outbox.size(), 1);
});

t.test('it is given up after a day', async t => {
  const { received, url } = await webhookReceiver(t, 500);
  const { store, box } = await outbox(t);
  await store.outbox.add(item(url, { createdAt: Date.now() - 25 * 3_600_000 }));
  box.wake();
  await until('the outbox is empty', async () => (await store.outbox.size()) === 0);
  t.equal(received.length, 1);
});

t.test('the same event is stored once', async t => {
  const { store } = await outbox(t);
  await store.outbox.add(item('http://127.0.0.1:9/'));
  await store.outbox.add(item('http://127.0.0.1:9/'));
  t.equal(await store.outbox.size(), 1);
});

/** Receivers that take requests and say what `answer` does, without an end. */
async function hangingReceivers(t: Test, count: number, answer: (write: (text: string) => void) => void = () => {}) {
  let [open, most] = [0, 0];
  const servers = Array.from({ length: count }, (): Server =>
    createServer(socket => {
      most = Math.max(most, ++open);
      socket.on('error', () => {});
      socket.once('close', () => open--);
      socket.once('data', () => answer(text => void socket.write(text)));
    }).listen(0, '127.0.0.1'),
  );
  await Promise.all(servers.map(server => once(server, 'listening')));
  t.teardown(() => servers.forEach(server => server.close()));
  const urls = servers.map(server => `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`);
  return {
    urls,
    get open() {
      return open;
    },
    get most() {
      return most;
    },
  };
}

t.test('a receiver that hangs does not delay the events of others, however many it has', async t => {
  const { store, box } = await outbox(t);
  const hanging = await hangingReceivers(t, 1);
  const { received, url } = await webhookReceiver(t, 200);
  const [lost = ''] = hanging.urls;
  for (let i = 0; i < 1400; i++)
    await store.outbox.add(item(lost, { id: `lost-${i}`, nextAt: Date.now() - 60_000 + i, attempts: i % 3 }));
  box.wake();
  await until('it hangs', () => hanging.open === 2);
  await store.outbox.add(item(url));
  box.wake();
  await until('the other event', () => received.length === 1);
  t.equal(hanging.open, 2, 'before the first attempt at it is given up');
  t.equal(hanging.most, 2);
});

t.test('many receivers that hung before do not delay events of others after a restart', async t => {
  const { store, box } = await outbox(t);
  const hanging = await hangingReceivers(t, 60);
  const { received, url } = await webhookReceiver(t, 200);
  for (const [i, lost] of hanging.urls.entries())
    for (let of = 0; of < 3; of++)
      await store.outbox.add(item(lost, { id: `lost-${i}-${of}`, nextAt: Date.now() - 60_000, attempts: 1 }));
  await store.outbox.add(item(url));
  box.wake();
  await until('the new event', () => received.length === 1);
  await until('some hang', () => hanging.open === 32);
  await store.outbox.add(item(url, { id: 'another' }));
  box.wake();
  await until('another one', () => received.length === 2);
  t.equal(hanging.most, 32);
});

t.test('a healthy receiver with many events gets all of them, two at a time', async t => {
  const { store, box } = await outbox(t);
  const { received, url } = await webhookReceiver(t, 200);
  for (let i = 0; i < 100; i++) await store.outbox.add(item(url, { id: `event-${i}` }));
  box.wake();
  await until('the outbox is empty', async () => (await store.outbox.size()) === 0);
  t.equal(new Set(received.map(({ headers }) => headers['idempotency-key'])).size, 100);
  t.equal(received.length, 100);
});

t.test('an answer that trickles is given up after ten seconds; of one that has begun, the status counts', async t => {
  const { store, box } = await outbox(t);
  const timers: NodeJS.Timeout[] = [];
  t.teardown(() => timers.forEach(clearInterval));
  const drip = (write: (text: string) => void) => void timers.push(setInterval(() => write('x'), 100));
  const heads = await hangingReceivers(t, 1, write => {
    write('HTTP/1.1 200 OK\r\nx-header: ');
    drip(write);
  });
  const bodies = await hangingReceivers(t, 1, write => {
    write('HTTP/1.1 200 OK\r\ncontent-length: 100000\r\n\r\n');
    drip(write);
  });
  await store.outbox.add(item(heads.urls[0] ?? '', { id: 'heads' }));
  await store.outbox.add(item(bodies.urls[0] ?? '', { id: 'bodies' }));
  box.wake();
  await until('one is delivered', async () => (await store.outbox.size()) === 1);
  await until('its connection is closed', () => bodies.open === 0);
  await until('the other is given up', () => heads.most === 1 && heads.open === 0);
  t.equal(await store.outbox.size(), 1, 'and tried again later');
});

t.test('events for a receiver that fails all the time are given up after a day, each tried or not', async t => {
  const { received, url } = await webhookReceiver(t, 500);
  const { store, box } = await outbox(t);
  for (let i = 0; i < 20; i++)
    await store.outbox.add(item(url, { id: `old-${i}`, createdAt: Date.now() - 25 * 3_600_000 }));
  await store.outbox.add(item(url, { id: 'new' }));
  box.wake();
  await until('the old ones are gone', async () => (await store.outbox.size()) === 1);
  t.match(await store.outbox.firsts(), [{ id: 'new' }]);
  t.ok(received.length <= 4, `${received.length} attempts`);
});

t.test('an origin is tried twice at a time, once after a failure, and after three after ever longer pauses', t => {
  const circuits = new Circuits();
  const fail = (now: number) => {
    circuits.begin('o');
    return circuits.end('o', 'failure', now);
  };
  t.equal(circuits.admits('o', 0), true);
  circuits.begin('o');
  t.equal(circuits.admits('o', 0), true);
  circuits.begin('o');
  t.equal(circuits.admits('o', 0), false);
  t.equal(circuits.pause('o', 0), null, 'until one ends');
  t.equal(circuits.admits('another', 0), true);
  circuits.end('o', 'none', 0);
  t.equal(circuits.end('o', 'failure', 0), false);
  t.equal(circuits.isFailing('o'), true);
  circuits.begin('o');
  t.equal(circuits.admits('o', 0), false, 'one at a time');
  circuits.end('o', 'none', 0);
  t.equal(fail(0), false);
  const pauses = Array.from({ length: 6 }, () => {
    t.equal(fail(0), true);
    return circuits.pause('o', 0);
  });
  t.same(pauses, [5000, 10_000, 20_000, 40_000, 60_000, 60_000]);
  t.equal(circuits.admits('o', 59_999), false);
  t.equal(circuits.admits('o', 60_000), true);
  circuits.begin('o');
  t.equal(circuits.admits('o', 60_000), false);
  circuits.end('o', 'success', 60_000);
  t.equal(circuits.isFailing('o'), false);
  circuits.begin('o');
  t.equal(circuits.admits('o', 60_000), true);
  circuits.end('o', 'failure', 60_000);
  circuits.forgetExcept(new Set());
  t.equal(circuits.isFailing('o'), false, 'forgotten when nothing waits for it');
  t.end();
});

t.test('when a session ends, its warning in progress is aborted and never tried again', async t => {
  const { store, box } = await outbox(t);
  const hanging = await hangingReceivers(t, 1);
  const [url = ''] = hanging.urls;
  const [session, other] = [makeSession(), makeSession()];
  const lease = { owner: 'me', until: Date.now() + 60_000 };
  for (const each of [session, other]) {
    await store.sessions.insert(each, lease, 10);
    await store.outbox.add(item(url, { id: `warning-${each.id}`, sessionId: each.id, event: 'warning' }));
  }
  box.wake();
  await until('both are tried', () => hanging.open === 2);
  const end = item(url, { id: 'end', sessionId: session.id });
  await store.end(session.id, { reason: 'offline' }, Date.now(), () => end);
  box.ended(session.id);
  await until('the end takes its place', async () => (await store.outbox.firsts())[0]?.attempts === 1);
  t.equal(await store.outbox.size(), 2);
  t.same(
    (await store.outbox.due([`warning-${session.id}`, `warning-${other.id}`, 'end'], Date.now() + 60_000))
      .map(({ id, attempts }) => [id, attempts])
      .sort(),
    [
      ['end', 1],
      [`warning-${other.id}`, 1],
    ],
  );
});

t.test('the retry interval doubles from a second to a quarter of an hour, with jitter', async t => {
  t.same(
    [1, 2, 3, 4].map(attempt => backoff(attempt, 0)),
    [1000, 2000, 4000, 8000],
  );
  t.equal(backoff(1, 1), 500);
  t.equal(backoff(1000, 0), 900_000);
});

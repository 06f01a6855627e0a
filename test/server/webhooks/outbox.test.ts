import { pino } from 'pino';
import t, { type Test } from 'tap';
import { Store } from '../../../src/server/store/store.js';
import { backoff } from '../../../src/server/webhooks/backoff.js';
import { Outbox } from '../../../src/server/webhooks/outbox.js';
import { openWebhooks } from '../../fixtures/outbound.js';
import { webhookReceiver } from '../../fixtures/receiver.js';
import { keyring } from '../../fixtures/keyring.js';
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
  await until('a try has failed', async () => ((await store.outbox.due(Date.now() + 5000, 1))[0]?.attempts ?? 0) >= 1);
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

t.test('the retry interval doubles from a second to a quarter of an hour, with jitter', async t => {
  t.same(
    [1, 2, 3, 4].map(attempt => backoff(attempt, 0)),
    [1000, 2000, 4000, 8000],
  );
  t.equal(backoff(1, 1), 500);
  t.equal(backoff(1000, 0), 900_000);
});

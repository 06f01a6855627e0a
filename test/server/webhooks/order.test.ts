/** The events of a session come in order, whatever its receiver answers. */
import { pino } from 'pino';
import t from 'tap';
import { Store } from '../../../src/server/store/store.js';
import { Outbox } from '../../../src/server/webhooks/outbox.js';
import { keyring } from '../../fixtures/services/keyring.js';
import { openWebhooks } from '../../fixtures/services/outbound.js';
import { makeSession } from '../../fixtures/services/session-rows.js';
import { webhookReceiver, type Received } from '../../fixtures/services/webhook-receiver.js';
import { until } from '../../fixtures/until.js';

const lease = { owner: 'me', until: Date.now() + 60_000 };
const idOf = ({ body }: Received) => (JSON.parse(body) as { id: string }).id;

t.test('an event is tried again under its key, and holds up those of its session only', async t => {
  const store = await Store.open({ client: 'sqlite', filename: ':memory:' }, keyring);
  const outbox = new Outbox(store.outbox, openWebhooks(), pino({ level: 'silent' }));
  t.teardown(async () => {
    await outbox.stop();
    await store.close();
  });
  const failing = await webhookReceiver(t, 500, 500, 200);
  const willing = await webhookReceiver(t, 200);
  const session = async (url: string) => {
    const made = makeSession({ events: { url, bearer: null, secret: null, names: null } });
    await store.sessions.insert(made, lease, 10);
    await store.sessions.markRunning(made, Date.now());
    await store.end(made.id, { reason: 'request' }, Date.now(), () => null);
    return ['started', 'running', 'ended'].map(name => `${made.id}-${name}`);
  };
  const [late, punctual] = [await session(failing.url), await session(willing.url)];
  outbox.wake();
  await until('those of the other session', () => willing.received.length === 3);
  t.same(willing.received.map(idOf), punctual);
  t.ok(failing.received.length < 3, 'which did not wait');
  await until('the outbox is empty', async () => (await store.outbox.size()) === 0);
  const [first = '', ...others] = late;
  t.same(failing.received.map(idOf), [first, first, first, ...others]);
  t.same(
    failing.received.map(({ headers }) => headers['idempotency-key']),
    failing.received.map(idOf),
  );
});

/** Webhooks are signed as Standard Webhooks has it: others' implementation of it verifies them. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Webhook } from 'standardwebhooks';
import t from 'tap';
import { serveInProcess } from '../../fixtures/services/in-process.js';
import { startFakedSession } from '../../fixtures/services/faked-session.js';
import { participantWebhook } from '../../fixtures/services/participant-webhook.js';
import { webhookReceiver, type Received } from '../../fixtures/services/webhook-receiver.js';
import { until } from '../../fixtures/until.js';

const secretOf = (byte: number) => `whsec_${Buffer.alloc(32, byte).toString('base64')}`;
const [OWN, OTHER, NEW, OLD] = [1, 2, 3, 4].map(secretOf) as [string, string, string, string];

const headersOf = ({ headers }: Pick<Received, 'headers'>) => headers as Record<string, string>;
const verify = (secret: string, received: Received, body = received.body) =>
  new Webhook(secret).verify(body, headersOf(received));

t.test('a timeout event is signed with the secret from the start request, anew for each try', async t => {
  const { received, url } = await webhookReceiver(t, 500, 200);
  const service = await serveInProcess(t);
  const timeout = { absolute: 1, warning: null, webhook: { url, bearer: 'the-bearer', secret: OWN } };
  const { id } = await startFakedSession(t, { timeout }, service);
  await until('it was sent twice', () => received.length === 2);
  const [first, second] = received as [Received, Received];
  for (const each of [first, second]) {
    t.match(verify(OWN, each), { session_id: id, type: 'absolute', event: 'timeout' });
    t.equal(each.headers['webhook-id'], each.headers['idempotency-key']);
    t.equal(each.headers.authorization, 'Bearer the-bearer', 'the bearer is there as well');
    t.throws(() => verify(OTHER, each), 'with another secret');
    t.throws(() => verify(OWN, each, each.body.replace('timeout', 'warning')), 'with another body');
    t.throws(() => new Webhook(OWN).verify(each.body, { ...headersOf(each), 'webhook-id': 'x' }), 'with another ID');
  }
  t.equal(first.headers['webhook-id'], second.headers['webhook-id']);
  t.ok(Number(second.headers['webhook-timestamp']) * 1000 > first.at - 1000);
});

t.test("webhooks without a secret of their own are signed with the service's, including the previous one", async t => {
  const { received, url } = await webhookReceiver(t, 200);
  const service = await serveInProcess(t, { BERTH_WEBHOOK_SECRET: `${NEW},${OLD}` });
  await startFakedSession(t, { timeout: { absolute: 1, warning: null, webhook: { url } } }, service);
  const event = await until('it was sent', () => received[0]);
  for (const secret of [NEW, OLD]) t.match(verify(secret, event), { type: 'absolute' });
  t.throws(() => verify(OTHER, event));
});

t.test('a service without a configured secret keeps one in its data folder', async t => {
  const dataDir = t.testdir();
  const webhook = await participantWebhook(t);
  const service = await serveInProcess(t, { BERTH_DATA_DIR: dataDir });
  const session = await startFakedSession(t, { auth: { type: 'webhook', value: { url: webhook.url } } }, service);
  const viewer = await session.join();
  t.teardown(() => viewer.leave());
  const secret = (await readFile(join(dataDir, 'webhook-secret'), 'utf8')).trim();
  const { headers, body } = await until('the question', () => webhook.questions[0]);
  t.same(new Webhook(secret).verify(JSON.stringify(body), headersOf({ headers })), body);
  t.equal(headers['webhook-id'], body.user_id);
});

t.test("the participant webhook's request is signed with the secret from the start request", async t => {
  const webhook = await participantWebhook(t);
  const auth = { type: 'webhook', value: { url: webhook.url, bearer: 'the-bearer', secret: OWN } };
  const service = await serveInProcess(t, { BERTH_LOG_LEVEL: 'debug' });
  const session = await startFakedSession(t, { auth }, service);
  const viewer = await session.join({ userdata: { name: 'Zoë' } });
  t.teardown(() => viewer.leave());
  const { headers, body } = await until('the question', () => webhook.questions[0]);
  t.match(new Webhook(OWN).verify(JSON.stringify(body), headersOf({ headers })), { userdata: { name: 'Zoë' } });
  t.throws(() => new Webhook(OTHER).verify(JSON.stringify(body), headersOf({ headers })));
  t.notOk(service.log().includes(OWN), 'the log does not hold it');
  const record = await service.api('GET', `/v0/vm/${session.id}`);
  t.notOk((await record.text()).includes(OWN), 'nor does the read');
});

t.test('an invalid secret is refused, and the field named', async t => {
  const service = await serveInProcess(t);
  const long = (bytes: number) => `whsec_${Buffer.alloc(bytes, 1).toString('base64')}`;
  for (const secret of [
    '',
    'whsec_',
    'a bearer',
    OWN.slice(6),
    long(23),
    long(65),
    `${OWN}=`,
    `${OWN} `,
    OWN.replace('=', ''),
    7,
  ]) {
    const webhook = { url: 'https://backend.example/', secret };
    const answer = await service.api('POST', '/v0/vm', {
      auth: { type: 'webhook', value: webhook },
      timeout: { webhook },
    });
    t.equal(answer.status, 400, String(secret));
    const { details } = (await answer.json()) as { details: { path: string; message: string }[] };
    t.same(
      new Set(details.map(({ path }) => path)),
      new Set(['/auth/value/secret', '/timeout/webhook/secret']),
      String(secret),
    );
    if (typeof secret === 'string') t.match(details, [{ message: 'must be whsec_ and 24 to 64 bytes in base64' }]);
  }
  for (const bytes of [24, 64]) {
    const timeout = { webhook: { url: 'https://backend.example/', secret: long(bytes) } };
    t.equal((await service.api('POST', '/v0/vm', { timeout })).status, 201);
  }
});

import t from 'tap';
import { serveInProcess } from '../../fixtures/services/in-process.js';
import { startFakedSession } from '../../fixtures/services/faked-session.js';
import { participantWebhook } from '../../fixtures/services/participant-webhook.js';
import { webhookReceiver } from '../../fixtures/services/webhook-receiver.js';
import { until } from '../../fixtures/until.js';

const everything = Array.from({ length: 0xff - 0x20 + 1 }, (_, index) => String.fromCharCode(0x20 + index))
  .filter(character => !/[\x7f]/.test(character))
  .join('');

t.test('bearers of webhooks may be whatever a header may contain', async t => {
  const service = await serveInProcess(t);
  const webhook = await participantWebhook(t);
  const receiver = await webhookReceiver(t, 200);
  for (const bearer of ['two words', 'a\ttab', 'Grüße: "ja", nein; 100%', `x${everything}x`, '~', 'x'.repeat(4096)]) {
    const session = await startFakedSession(
      t,
      {
        auth: { type: 'webhook', value: { url: webhook.url, bearer } },
        timeout: { absolute: 1, webhook: { url: receiver.url, bearer } },
      },
      service,
    );
    (await session.join()).leave();
    t.equal(webhook.questions.at(-1)?.headers.authorization, `Bearer ${bearer}`, 'asked for a participant');
    const told = await until('the timeout is told', () =>
      receiver.received.find(({ body }) => body.includes(session.id)),
    );
    t.equal(told.headers.authorization, `Bearer ${bearer}`, 'told of the timeout');
  }
});

t.test('characters that no header may contain are refused, and the field named', async t => {
  const { api } = await serveInProcess(t);
  const url = 'http://localhost:1/';
  for (const bearer of [
    'a\r\nx-more: y',
    'a\nb',
    'nul\0',
    'delete\x7f',
    '€',
    '日本',
    ' before',
    'after ',
    'tab\t',
    ' ',
    '',
    'x'.repeat(4097),
  ]) {
    const answer = await api('POST', '/v0/vm', {
      auth: { type: 'webhook', value: { url, bearer } },
      timeout: { webhook: { url, bearer } },
    });
    const { code, details } = (await answer.json()) as { code: string; details: { path: string }[] };
    t.same([answer.status, code], [400, 'invalid_body'], JSON.stringify(bearer));
    const paths = new Set(details.map(({ path }) => path));
    t.same([...paths].sort(), ['/auth/value/bearer', '/timeout/webhook/bearer'], JSON.stringify(bearer));
  }
});

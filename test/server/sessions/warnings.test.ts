import t from 'tap';
import { serveInProcess } from '../../fixtures/services/in-process.js';
import { webhookReceiver } from '../../fixtures/services/webhook-receiver.js';
import { until } from '../../fixtures/until.js';

t.test('a warning that input withdrew sends its webhook again when it is due again', async t => {
  const service = await serveInProcess(t);
  const { received, url } = await webhookReceiver(t, 200);
  // Half a second without a warning after each input: less than the service takes to look at it.
  const timeout = { inactive: 4, warning: 3.5, webhook: { url } };
  const started = (await (await service.api('POST', '/v0/vm', { timeout })).json()) as { session_id: string };
  await until('the warning', () => received.length === 1);
  // Looks are taken at whole seconds.
  await until('the beginning of a second', () => Date.now() % 1000 < 200);
  t.equal((await service.api('POST', `/s/${started.session_id}/ping`)).status, 200);
  await until('both warnings and the end', () => received.length >= 3);

  const events = received.map(({ body }) => JSON.parse(body) as Record<string, string>);
  t.match(events, [
    { type: 'inactive', event: 'warning' },
    { type: 'inactive', event: 'warning' },
    { type: 'inactive', event: 'timeout' },
  ]);
  t.equal(events.length, 3, 'once for each approach of the end');
  t.ok(Date.parse(events[1]?.['termination_date'] ?? '') > Date.parse(events[0]?.['termination_date'] ?? ''));
  t.equal(new Set(received.map(({ headers }) => headers['idempotency-key'])).size, 3);
});

t.test('a warning that was not accepted before the end of its session is not sent after it', async t => {
  const service = await serveInProcess(t, { BERTH_METRICS_OPEN: 'true' });
  const { received, url } = await webhookReceiver(t, 500, 500, 200);
  // The second attempt at the warning, if there is one, comes within a second, the third one after the end.
  const timeout = { absolute: 2, warning: 1.5, webhook: { url } };
  await service.api('POST', '/v0/vm', { timeout });
  const events = () => received.map(({ body }) => (JSON.parse(body) as { event: string }).event);
  await until('the warning', () => events().length > 0);
  await until('nothing waits any more', async () =>
    /^berth_webhook_queue 0$/m.test(await (await service.api('GET', '/metrics')).text()),
  );
  t.equal(events().at(-1), 'timeout');
  t.ok(
    events()
      .slice(0, -1)
      .every(event => event === 'warning'),
  );
});

/** Where webhooks may be, from a start request to the request that a backend gets. */
import t from 'tap';
import { freePort } from '../../fixtures/networks/free-port.js';
import { serveInProcess, type InProcess } from '../../fixtures/services/in-process.js';
import { startFakedSession } from '../../fixtures/services/faked-session.js';
import { fakeNames } from '../../fixtures/services/outbound.js';
import { participantWebhook } from '../../fixtures/services/participant-webhook.js';
import { webhookReceiver } from '../../fixtures/services/webhook-receiver.js';
import { until } from '../../fixtures/until.js';

const METADATA = '169.254.169.254';

/** Starts a session with both webhooks at an address. */
async function start(service: InProcess, url: string, path = '/v0/vm') {
  const fields = { auth: { type: 'webhook', value: { url } }, timeout: { webhook: { url } } };
  const game = { type: 'nes', room_url: 'https://games.example/a.nes' };
  const answer = await service.api('POST', path, path === '/console' ? { ...game, ...fields } : fields);
  return {
    status: answer.status,
    body: (await answer.json()) as { code?: string; details?: { path: string; message: string }[] },
  };
}

t.test('a start is refused for webhooks at forbidden addresses, and names them', async t => {
  const service = await serveInProcess(t);
  service.engine.networks = ['172.30.0.0/16'];
  const own = new URL(service.url).host;
  const refused: [string, RegExp][] = [
    [`http://${METADATA}/latest`, /metadata/],
    ['http://[fe80::1]/', /link-local/],
    [`http://${own}/v0/vm`, /service's own/],
    [`http://127.0.0.1:${service.agent.port}/`, /container engine/],
    ['http://172.30.0.2:7000/', /containers of sessions/],
  ];
  for (const [url, message] of refused) {
    for (const path of ['/v0/vm', '/console']) {
      const { status, body } = await start(service, url, path);
      t.equal(status, 422, url);
      t.match(
        body,
        {
          code: 'webhook_refused',
          details: [
            { path: '/auth/value/url', message },
            { path: '/timeout/webhook/url', message },
          ],
        },
        url,
      );
    }
  }
  for (const url of ['http://10.0.0.1/', 'http://127.0.0.1:9/', 'http://172.31.0.1/', 'https://backend.example/']) {
    t.equal((await start(service, url)).status, 201, url);
  }
});

t.test('private networks and this machine can be forbidden by a setting', async t => {
  const service = await serveInProcess(t, { BERTH_WEBHOOK_PRIVATE: 'false' });
  for (const url of ['http://10.0.0.1/', 'http://127.0.0.1:9/', 'http://[fd00::1]/']) {
    t.match(
      await start(service, url),
      { status: 422, body: { code: 'webhook_refused', details: [{ message: /private network/ }, {}] } },
      url,
    );
  }
  t.equal((await start(service, 'https://backend.example/')).status, 201);
});

t.test('a participant webhook whose name resolves to one is not called, and denies', async t => {
  const webhook = await participantWebhook(t);
  const { port } = new URL(webhook.url);
  const names = fakeNames({
    'rebinding.example': [['127.0.0.1'], [METADATA]],
    'inside.example': [['127.0.0.1']],
    'agent.example': [['127.0.0.1']],
  });
  const service = await serveInProcess(t, { BERTH_LOG_LEVEL: 'info' }, names);
  const join = async (host: string) => {
    const auth = { type: 'webhook', value: { url: `http://${host}/check` } };
    const viewer = await (await startFakedSession(t, { auth }, service)).connect();
    t.teardown(() => viewer.leave());
    viewer.tell({ type: 'join' });
    return viewer;
  };
  await (await join(`rebinding.example:${port}`)).heard('welcome');
  t.same(names.asked, ['rebinding.example'], 'looked up once, and connected to what that said');
  t.equal(await (await join(`rebinding.example:${port}`)).closed(), 4401, 'it means something else now');
  t.match(service.log(), /the webhook's address is link-local/);
  t.equal(await (await join(`agent.example:${service.agent.port}`)).closed(), 4401);
  t.match(service.log(), /the webhook's address belongs to a container engine/);

  const strict = await serveInProcess(t, { BERTH_WEBHOOK_PRIVATE: 'false' }, names);
  const auth = { type: 'webhook', value: { url: `http://inside.example:${port}/check` } };
  const viewer = await (await startFakedSession(t, { auth }, strict)).connect();
  t.teardown(() => viewer.leave());
  viewer.tell({ type: 'join' });
  t.equal(await viewer.closed(), 4401);
  t.equal(webhook.questions.length, 1, 'only the one that was let in was asked about');
});

t.test('a timeout webhook whose name resolves to one gets nothing until it resolves elsewhere', async t => {
  const { received, url } = await webhookReceiver(t, 200);
  const names = fakeNames({ 'moving.example': [[METADATA], ['127.0.0.1']] });
  const service = await serveInProcess(t, { BERTH_LOG_LEVEL: 'info' }, names);
  const { status } = await service.api('POST', '/v0/vm', {
    timeout: { absolute: 1, warning: null, webhook: { url: url.replace('127.0.0.1', 'moving.example') } },
  });
  t.equal(status, 201);
  await until('it has come', () => received.length === 1);
  t.match(service.log(), /the address is link-local[^\n]*webhook not delivered/);
  t.same(names.asked, ['moving.example', 'moving.example']);
});

t.test('a webhook on this machine where nobody listens is no refused address', async t => {
  const service = await serveInProcess(t);
  t.equal((await start(service, `http://localhost:${await freePort()}/`)).status, 201);
});

// tags: containers
/** Webhooks never lead into a session's container, nor to the network of sessions. */
import t from 'tap';
import { containerOf, docker } from '../../fixtures/engines/docker.js';
import { startService } from '../../fixtures/services/service.js';

const service = await startService(t);
const { body: session } = await service.api('POST', '/v0/vm');
const network = `${service.instance}-sessions`;
const start = (url: string) =>
  service.api('POST', '/v0/vm', { timeout: { offline: 60, webhook: { url } }, tag: 'second' });

t.test("a session's container cannot be a webhook address", async t => {
  const format = `{{(index .NetworkSettings.Networks "${network}").IPAddress}}`;
  const address = await docker('inspect', '-f', format, containerOf(service, session.session_id));
  t.match(address, /^\d+\./);
  for (const url of [`http://${address}:7000/`, `http://${address}/`, `http://[::ffff:${address}]/`]) {
    t.match(
      await start(url),
      {
        status: 422,
        body: {
          code: 'webhook_refused',
          details: [{ path: '/timeout/webhook/url', message: /containers of sessions/ }],
        },
      },
      url,
    );
  }
});

t.test('other networks of the engine can be, as a backend may be in one', async t => {
  const subnet = await docker('network', 'inspect', 'bridge', '-f', '{{(index .IPAM.Config 0).Subnet}}');
  const address = subnet.replace(/\.\d+\/\d+$/, '.250');
  t.match(address, /^\d+\.\d+\.\d+\.250$/);
  t.equal((await start(`http://${address}/`)).status, 201, address);
});

// tags: containers
import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';
import { secondEngine } from '../../fixtures/engines/second-engine.js';
import { startService } from '../../fixtures/services/service.js';
import { until } from '../../fixtures/until.js';

const engine = await secondEngine(t);
const address = `${engine.address}:${engine.port}`;
/** Nothing but the connection is looked at: the engine has no images, not even for the rules. */
const open = { BERTH_EGRESS: 'open' };

t.test('an engine is reached by TLS, with mutual authentication', async t => {
  for (const env of [
    { BERTH_REGIONS: `NA=tcp+tls://${address}`, BERTH_DOCKER_CERT_PATH: engine.certificates },
    { BERTH_REGIONS: `NA=tcp://${address}`, DOCKER_TLS_VERIFY: '1', DOCKER_CERT_PATH: engine.certificates },
  ]) {
    const service = await startService(t, { ...open, ...env });
    const { status, body } = await service.api('POST', '/v0/vm');
    t.same([status, body.code], [502, 'start_failed']);
    t.match(body.message, /The image .* is not there/, 'the engine has answered');
    const network = await engine.docker(
      'network',
      'inspect',
      `${service.instance}-sessions`,
      '--format',
      '{{.Driver}}',
    );
    t.equal(network, 'bridge', 'and done as it was told');
    await engine.docker('network', 'rm', `${service.instance}-sessions`);
  }
});

t.test('an engine that rejects the service or requires TLS is not used', async t => {
  const stranger = { BERTH_REGIONS: `NA=tcp+tls://${address}`, BERTH_DOCKER_CERT_PATH: engine.stranger };
  const service = await startService(t, { ...open, ...stranger }, { wait: false });
  await until('the service answers', async () => (await fetch(`${service.url}/healthz`).catch(() => null))?.ok);
  t.equal((await fetch(`${service.url}/readyz`)).status, 503);
  t.equal((await service.api('POST', '/v0/vm')).status, 503);

  const plain = { BERTH_REGIONS: `NA=tcp://${address}`, BERTH_DOCKER_PLAIN_TCP: 'true' };
  const unencrypted = await startService(t, { ...open, ...plain }, { wait: false });
  t.equal(await unencrypted.exited(), 1);
  t.match(unencrypted.log(), /HTTPS server/);
});

t.test('an engine that cannot prove its identity is not used', async t => {
  // Signed by another authority than the one that the service trusts.
  const folder = t.testdir({});
  for (const name of ['cert.pem', 'key.pem']) await copyFile(join(engine.certificates, name), join(folder, name));
  await copyFile(join(engine.stranger, '..', 'ca.pem'), join(folder, 'ca.pem'));
  const other = { BERTH_REGIONS: `NA=tcp+tls://${address}`, BERTH_DOCKER_CERT_PATH: folder };
  const service = await startService(t, { ...open, ...other }, { wait: false });
  await until('the service answers', async () => (await fetch(`${service.url}/healthz`).catch(() => null))?.ok);
  t.equal((await fetch(`${service.url}/readyz`)).status, 503);
  t.match(service.log(), /SELF_SIGNED|UNABLE_TO_VERIFY|certificate/);
});

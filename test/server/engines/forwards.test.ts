/** Whether a service outside of a cluster may reach agents through the API server. */
import { KubeConfig } from '@kubernetes/client-node';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import t, { type Test } from 'tap';
import { Forwards } from '../../../src/server/engines/kubernetes/forwards.js';

/** Forwards through an API server that answers with this status. */
async function answered(t: Test, status: string): Promise<{ forwards: Forwards; asked: string[] }> {
  const asked: string[] = [];
  const server = createServer().on('upgrade', ({ url = '' }, socket) => {
    asked.push(url);
    socket.end(`HTTP/1.1 ${status}\r\ncontent-length: 0\r\n\r\n`);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  t.teardown(() => server.close());
  const config = new KubeConfig();
  const { port } = server.address() as AddressInfo;
  const cluster = { name: 'test', server: `http://127.0.0.1:${port}`, skipTLSVerify: true };
  config.loadFromClusterAndUser(cluster, { name: 'test', token: 'token' });
  return { forwards: await Forwards.open(config, 'sessions'), asked };
}

t.test('the right to forward is found by trying, with a Pod that there is not', async t => {
  const may = await answered(t, '404 Not Found');
  t.equal(await may.forwards.isAllowed(), true);
  t.match(may.asked, [/^\/api\/v1\/namespaces\/sessions\/pods\/none\/portforward\?ports=\d+$/]);
  const mayNot = await answered(t, '403 Forbidden');
  t.equal(await mayNot.forwards.isAllowed(), false);
});

t.test('an API server that cannot say is no answer', async t => {
  const { forwards } = await answered(t, '502 Bad Gateway');
  await t.rejects(forwards.isAllowed(), { message: /cannot be asked for a forward: .*502/ });
});

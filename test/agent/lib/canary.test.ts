import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import t from 'tap';
import { reaches } from '../../../src/agent/lib/canary.js';

t.test('an address counts as reached when it accepts a connection', async t => {
  const server = createServer(socket => socket.end());
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  t.equal(await reaches(`127.0.0.1:${port}`), true);
  server.close();
  await once(server, 'close');
  t.equal(await reaches(`127.0.0.1:${port}`), false);
});

import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import t from 'tap';
import { connectAdb } from '../../src/adb/connect.js';
import { adbKeys } from '../../src/adb/keys.js';

t.test('what takes a connection and never answers is given up, so that another attempt can follow', async t => {
  const server = createServer();
  t.teardown(() => server.close());
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const closed = once(server, 'connection').then(([socket]: Socket[]) => socket && once(socket.resume(), 'close'));
  const address = { host: '127.0.0.1', port: (server.address() as AddressInfo).port };
  await t.rejects(connectAdb(address, adbKeys(undefined), new AbortController().signal, { patience: 50 }));
  await closed;
  t.pass('its connection is closed');
});

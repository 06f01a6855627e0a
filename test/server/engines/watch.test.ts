import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import t from 'tap';
import { dockerClient } from '../../../src/server/engines/docker/client.js';
import { namesOf } from '../../../src/server/engines/docker/names.js';
import { Watcher } from '../../../src/server/engines/docker/watch.js';
import { until } from '../../fixtures/until.js';

/** Timers that keep the process alive. */
const timers = () => process.getActiveResourcesInfo().filter(name => name === 'Timeout').length;

t.test('a watch that is stopped leaves no connection, and no timer that keeps the process alive', async t => {
  const server = createServer((request, response) => {
    if (request.url?.includes('/events') === true) response.flushHeaders();
    else response.end('OK');
  }).listen(0, '127.0.0.1');
  t.teardown(() => {
    server.closeAllConnections();
    server.close();
  });
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const docker = dockerClient({
    transport: 'tcp',
    host: '127.0.0.1',
    port,
    text: `tcp://127.0.0.1:${port}`,
    tls: null,
    agents: null,
  });
  const connections = () => new Promise<number>(resolve => server.getConnections((_, count) => resolve(count)));

  const before = timers();
  const told: string[] = [];
  const watcher = await new Promise<Watcher>(resolve => {
    const made = new Watcher(docker, namesOf('berth-test', null), {
      connected: () => {
        told.push('connected');
        resolve(made);
      },
      disconnected: () => void told.push('disconnected'),
      exited: () => void told.push('exited'),
    });
  });
  await until('it pings', () => timers() > before);
  watcher.stop();
  await until('its connections are closed', async () => (await connections()) === 0);
  await until('its timers are cleared', () => timers() <= before);
  t.same(told, ['connected'], 'whoever stops it is told of nothing');
});

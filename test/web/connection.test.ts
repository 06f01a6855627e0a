/** The viewer's connection against a service that is gone for a moment. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import t from 'tap';
import { WebSocketServer } from 'ws';
import { parseEmbedUrl } from '../../src/web/sdk/connection/address.js';
import { deadline } from '../../src/web/sdk/connection/backoff.js';
import { Connection } from '../../src/web/sdk/connection/connection.js';
import { pageSockets } from '../fixtures/page-socket.js';
import { until } from '../fixtures/until.js';

pageSockets(t);

t.test('reconnections that get no answer give up after a second, and later after longer', async t => {
  const streams = new WebSocketServer({ noServer: true });
  let answers = true;
  /** How long the viewer waited for an answer to each attempt, milliseconds. */
  const waits: number[] = [];
  const server = createServer(() => t.fail('who got no answer does not ask why'));
  server.on('upgrade', (request, socket, head) => {
    if (answers) return streams.handleUpgrade(request, socket, head, () => {});
    const since = performance.now();
    socket.on('end', () => waits.push(performance.now() - since)).resume();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;

  let opened = 0;
  const connection = new Connection(parseEmbedUrl(`http://127.0.0.1:${port}/s/one?token=t`), {
    opened: () => {
      opened++;
      connection.joined();
    },
    text: () => {},
    binary: () => {},
    lost: () => {},
    ended: ({ message }) => t.fail(message),
  });
  t.teardown(() => {
    connection.stop();
    server.close();
    server.closeAllConnections();
  });
  connection.connect();
  await until('it is connected', () => opened === 1);

  answers = false;
  for (const socket of streams.clients) socket.terminate();
  await until('two attempts were given up', () => waits.length === 2);
  const [first = 0, second = 0] = waits;
  t.ok(first > 900 && first < 1700, `the first after ${first} ms`);
  t.ok(second > 1900 && second < 3400, `the second after ${second} ms`);

  answers = true;
  await until('it is connected again', () => opened === 2);
});

t.test('deadlines grow up to that of a first connection, and begin longer on slow paths', async t => {
  const first = deadline(0, null);
  t.same(
    [1, 2, 3, 4, 5].map(attempt => deadline(attempt, 20)),
    [1000, 2000, 4000, first, first],
  );
  t.equal(deadline(1, 300), 2400);
  t.equal(deadline(1, 10_000), first);
});

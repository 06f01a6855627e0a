/** The viewer's connection against a service that is gone for a moment. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import t, { type Test } from 'tap';
import { WebSocketServer } from 'ws';
import { parseEmbedUrl } from '../../../src/web/sdk/connection/address.js';
import { deadline } from '../../../src/web/sdk/connection/backoff.js';
import { Connection } from '../../../src/web/sdk/connection/connection.js';
import { stopwatch } from '../../fixtures/own-time.js';
import { pageSockets } from '../../fixtures/viewers/page-socket.js';
import { until } from '../../fixtures/until.js';

pageSockets(t);

/** What a service does with a viewer's attempt to connect, and with its question why that was refused. */
type Mood = 'answers' | 'is silent' | 'refuses, and is silent';

/** A service with one viewer, connected. */
async function viewed(t: Test) {
  const streams = new WebSocketServer({ noServer: true });
  let mood: Mood = 'answers';
  /**
   * How long the viewer waited for what never came, milliseconds from when the request arrived, which it was later than
   * its deadline began, and without what other programs took of that.
   */
  const waits: { ms: number; own: number }[] = [];
  const neverAnswered = (socket: Duplex) => {
    const [since, watch] = [performance.now(), stopwatch(t)];
    socket
      .once('end', () => socket.end())
      .once('close', () => waits.push({ ms: performance.now() - since, own: watch() }));
    socket.resume();
  };
  const server = createServer(({ socket }) => {
    if (mood !== 'refuses, and is silent') t.fail('who got no answer does not ask why');
    neverAnswered(socket);
  });
  server.on('upgrade', (request, socket, head) => {
    if (mood === 'answers') streams.handleUpgrade(request, socket, head, () => {});
    else if (mood === 'is silent') neverAnswered(socket);
    else socket.destroy();
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
    ended: ({ type }) => t.fail(type),
  });
  t.teardown(() => {
    connection.stop();
    server.close();
    server.closeAllConnections();
  });
  connection.connect();
  await until('it is connected', () => opened === 1);
  return {
    waits,
    /** Ends the connection, and does so with those that follow. */
    becomes(next: Mood): void {
      mood = next;
      for (const socket of streams.clients) socket.terminate();
    },
    async answersAgain(): Promise<void> {
      mood = 'answers';
      await until('it is connected again', () => opened === 2);
    },
  };
}

t.test('reconnections that get no answer give up after a second, and later after longer', async t => {
  const { waits, becomes, answersAgain } = await viewed(t);
  becomes('is silent');
  await until('two attempts were given up', () => waits.length === 2);
  const [first, second] = waits;
  t.ok(first && first.ms > 500 && first.own < 1700, `the first after ${first?.ms} ms`);
  t.ok(second && second.ms > 1500 && second.own < 3400, `the second after ${second?.ms} ms`);
  await answersAgain();
});

t.test('who was refused waits no longer for the reason than for a connection', async t => {
  const { waits, becomes, answersAgain } = await viewed(t);
  becomes('refuses, and is silent');
  await until('the question was given up', () => waits.length === 1);
  const [wait] = waits;
  t.ok(wait && wait.ms > 500 && wait.own < 1700, `after ${wait?.ms} ms`);
  await answersAgain();
});

t.test('deadlines grow up to that of a first connection, and begin longer on slow paths', async t => {
  const first = deadline(0, null);
  t.same(
    [1, 2, 3, 4, 5].map(attempt => deadline(attempt, 20)),
    [1000, 2000, 4000, first, first],
  );
  t.equal(deadline(1, 300), 2400);
  t.equal(deadline(1, 281.21), 2250, 'timers take whole milliseconds only');
  t.equal(deadline(1, 10_000), first);
});

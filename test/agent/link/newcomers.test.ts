/** Who opens connections to an agent's port without knowing its secret does not keep the service out. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import t, { type Test } from 'tap';
import { WebSocket } from 'ws';
import { authorizationOf } from '../../../src/agent/link/authorization.js';
import type { Route } from '../../../src/agent/link/routes.js';
import { LinkServer } from '../../../src/agent/link/server.js';
import type { Log } from '../../../src/agent/lib/log.js';
import { LINK_VERSION } from '../../../src/protocol/link-proof.js';
import { LINK_PATH } from '../../../src/protocol/message-type.js';
import { connectAgent } from '../../../src/server/agent-link/agent-connection.js';
import { AgentHttp } from '../../../src/server/agent-link/agent-http.js';
import { until } from '../../fixtures/until.js';

const SECRET = 'the-secret-of-this-link';
const TIMEOUT_MS = 5000;
const NONCE = 'x'.repeat(43);
const HELLO = `GET /hello HTTP/1.1\r\nhost: agent\r\nberth-nonce: ${NONCE}\r\n\r\n`;
const log = { info() {}, warn() {} } as unknown as Log;

async function agentOf(t: Test) {
  const handler = { opened() {}, binary() {}, text() {}, closed() {} };
  const name: Route = { method: 'GET', path: '/name', handle: ({ response }) => void response.end('agent') };
  const server = new LinkServer(
    authorizationOf(SECRET, String(LINK_VERSION)),
    handler,
    { routes: [name], upgrades: [] },
    log,
  );
  t.teardown(() => server.stop());
  const port = await server.listen({ port: 0 });
  return { host: '127.0.0.1', port, secret: SECRET, linkVersion: LINK_VERSION };
}

/** Connections of somebody who knows no secret, from that address of this machine. */
async function strangers(t: Test, port: number, count: number, localAddress = '127.0.0.1'): Promise<Socket[]> {
  const sockets = Array.from({ length: count }, () =>
    connect({ port, host: '127.0.0.1', localAddress, allowHalfOpen: true }).on('error', () => undefined),
  );
  t.teardown(() => sockets.forEach(socket => socket.destroy()));
  await Promise.all(sockets.map(socket => once(socket, 'connect')));
  return sockets;
}

const isOpen = (socket: Socket) => !socket.closed && !socket.readableEnded;

t.test('connections that say nothing do not keep the service out', async t => {
  const address = await agentOf(t);
  for (const count of [64, 1000]) {
    await strangers(t, address.port, count);
    const begun = performance.now();
    const answer = await new AgentHttp(address).send({ method: 'GET', path: '/name' });
    t.equal(await text(answer), 'agent');
    t.comment(`${count} connections: answered in ${(performance.now() - begun).toFixed(1)} ms`);
  }
});

t.test('whoever proves nothing is closed after two seconds, whatever it sends', async t => {
  const { port } = await agentOf(t);
  const [silent, slow, greeting, upgrading, posting] = (await strangers(t, port, 5)) as [
    Socket,
    Socket,
    Socket,
    Socket,
    Socket,
  ];
  const begun = performance.now();
  const lines = 'GET /name HTTP/1.1\r\n'.padEnd(1 << 16, 'x: y\r\n');
  let sent = 0;
  const trickle = setInterval(() => {
    if (slow.writable) slow.write(lines.charAt(sent++));
    if (greeting.writable) greeting.write(HELLO);
    if (posting.writable) posting.write('x');
  }, 20);
  t.teardown(() => clearInterval(trickle));
  upgrading.write(`GET ${LINK_PATH} HTTP/1.1\r\nhost: agent\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n`);
  posting.write('POST /name HTTP/1.1\r\nhost: agent\r\ncontent-length: 1000000\r\n\r\n');
  for (const socket of [silent, slow, greeting, upgrading, posting]) socket.resume();
  await until('all are closed', () => ![silent, slow, greeting, upgrading, posting].some(isOpen), 10_000);
  t.ok(performance.now() - begun > 1500, 'but not at once');
});

t.test('a service that has proven itself stays connected', async t => {
  const address = await agentOf(t);
  const { socket, authorization } = await connectAgent(address, TIMEOUT_MS);
  const link = new WebSocket(`ws://agent${LINK_PATH}`, { createConnection: () => socket, headers: { authorization } });
  t.teardown(() => link.terminate());
  await once(link, 'open');
  // Closed later than the link would have been.
  const later = (await strangers(t, address.port, 300)).map(stranger => stranger.resume());
  await until('all strangers are closed', () => !later.some(isOpen), 10_000);
  const pong = once(link, 'pong');
  link.ping();
  await pong;
  t.equal(link.readyState, WebSocket.OPEN);
});

t.test('connections from one address do not close those from others', async t => {
  const { port } = await agentOf(t);
  const [first] = await strangers(t, port, 1, '127.0.0.2');
  await strangers(t, port, 1000);
  first?.write(HELLO);
  const [answer] = (await once(first as Socket, 'data')) as [Buffer];
  t.match(answer.toString(), /^HTTP\/1\.1 200/);
});

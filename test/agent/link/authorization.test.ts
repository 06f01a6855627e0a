import { once } from 'node:events';
import { connect } from 'node:net';
import { buffer } from 'node:stream/consumers';
import t, { type Test } from 'tap';
import { WebSocket } from 'ws';
import { authorizationOf } from '../../../src/agent/link/authorization.js';
import { LinkServer } from '../../../src/agent/link/server.js';
import type { Route } from '../../../src/agent/link/routes.js';
import type { Log } from '../../../src/agent/lib/log.js';
import { LINK_VERSION } from '../../../src/protocol/link-proof.js';
import { LINK_PATH } from '../../../src/protocol/message-type.js';
import { connectAgent } from '../../../src/server/agent-link/agent-connection.js';
import { AgentHttp } from '../../../src/server/agent-link/agent-http.js';

const SECRET = 'the-secret-of-this-link';
const TIMEOUT_MS = 5000;
const log = { info() {}, warn() {} } as unknown as Log;

/** The port of an agent in a container that a service of that version has started, and where it listens. */
async function agentOf(t: Test, linkVersion: number) {
  const handler = { opened() {}, binary() {}, text() {}, closed() {} };
  const name = {
    method: 'GET',
    path: '/name',
    handle: ({ response }) => void response.end('agent'),
  } as const satisfies Route;
  const authorization = authorizationOf(SECRET, linkVersion === 1 ? undefined : String(linkVersion));
  const server = new LinkServer(authorization, handler, { routes: [name], upgrades: [] }, log);
  t.teardown(() => server.stop());
  return { host: '127.0.0.1', port: await server.listen({ port: 0 }), secret: SECRET, linkVersion };
}

/** The status that a request on a connection of its own is answered with. */
async function status(port: number, head: string): Promise<string | undefined> {
  const socket = connect(port, '127.0.0.1');
  socket.end(`${head}\r\nhost: agent\r\n${head.includes('upgrade') ? '' : 'connection: close\r\n'}\r\n`);
  return /^HTTP\/1\.1 (\d+)/.exec((await buffer(socket)).toString())?.[1];
}

t.test('agent and service of each version authenticate each other', async t => {
  for (const version of [1, LINK_VERSION]) {
    const address = await agentOf(t, version);
    const answer = await new AgentHttp(address).send({ method: 'GET', path: '/name' });
    t.equal((await buffer(answer)).toString(), 'agent');
    const { socket, authorization, knows } = await connectAgent(address, TIMEOUT_MS);
    const all = version > 1;
    t.same(knows, { keepAlive: all, timezone: all, physicalKeys: all, pageFingers: all, clipboardContent: all });
    const link = new WebSocket(`ws://agent${LINK_PATH}`, {
      createConnection: () => socket,
      headers: { authorization },
    });
    await once(link, 'open');
    link.terminate();
  }
});

t.test('an agent admits nobody but the service', async t => {
  const address = await agentOf(t, LINK_VERSION);
  const { port } = address;
  const { authorization } = await connectAgent(address, TIMEOUT_MS);
  const heads = {
    'without a proof': 'GET /name HTTP/1.1',
    'with the secret': `GET /name HTTP/1.1\r\nauthorization: Bearer ${SECRET}`,
    'with a proof that was given on another connection': `GET /name HTTP/1.1\r\nauthorization: ${authorization}`,
    'asking for a proof without a nonce': 'GET /hello HTTP/1.1',
    'asking for a proof with a nonce that is none': `GET /hello HTTP/1.1\r\nberth-nonce: ${'x'.repeat(44)}`,
    'asking for a proof in another way': `POST /hello HTTP/1.1\r\nberth-nonce: ${'x'.repeat(43)}`,
    'for a link': `GET /link HTTP/1.1\r\nconnection: upgrade\r\nupgrade: websocket\r\nauthorization: ${authorization}`,
  };
  for (const [name, head] of Object.entries(heads)) t.equal(await status(port, head), '401', name);
});

t.test('an agent of version 1 admits nobody without the secret', async t => {
  const { port } = await agentOf(t, 1);
  for (const head of [
    'GET /name HTTP/1.1',
    'GET /name HTTP/1.1\r\nauthorization: Bearer wrong',
    `GET /hello HTTP/1.1\r\nberth-nonce: ${'x'.repeat(43)}`,
  ])
    t.equal(await status(port, head), '401', head);
});

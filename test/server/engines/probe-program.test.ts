/** What a probe finds, run here: a listener is the canary, and a socket the name server. */
import { execFile } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer, type AddressInfo, type Server } from 'node:net';
import t, { type Test } from 'tap';
import { probeCommand, type Expectation, STATUS } from '../../../src/server/engines/kubernetes/probe-program.js';
import { freePort } from '../../fixtures/networks/free-port.js';

async function canary(t: Test): Promise<Server> {
  const server = createServer(socket => socket.on('error', () => {}).end());
  await once(server.listen(0, '127.0.0.1'), 'listening');
  t.teardown(() => server.close());
  return server;
}

const addressOf = (server: Server) => `127.0.0.1:${(server.address() as AddressInfo).port}`;

/** A name server that knows no name; gives its address, and the questions. */
async function nameServer(t: Test): Promise<{ address: string; asked: string[] }> {
  const socket = createSocket('udp4');
  const asked: string[] = [];
  socket.on('message', (question, { address, port }) => {
    asked.push(question.toString('latin1', 12).replaceAll(/[^\w-]/g, ' '));
    const answer = Buffer.from(question);
    answer.writeUInt16BE(0x8183, 2);
    socket.send(answer, port, address);
  });
  await once(socket.bind(0, '127.0.0.1'), 'listening');
  t.teardown(() => socket.close());
  return { address: `127.0.0.1:${socket.address().port}`, asked };
}

/** Has a program ask the name server in DNS. */
const STUB = `
const dns = require('dns');
const { Resolver } = dns;
dns.Resolver = class extends Resolver { constructor(o) { super(o); this.setServers([process.env.DNS]); } };`;
const folder = t.testdir({ 'dns.cjs': STUB });

/** The status of a probe whose machine has this name server. */
function statusOf(expectation: Expectation, dns: string): Promise<number> {
  const env = { ...process.env, DNS: dns, NODE_OPTIONS: `--require=${folder}/dns.cjs` };
  return new Promise(resolve => {
    execFile('/bin/sh', ['-c', probeCommand(expectation)], { env }, error =>
      resolve(error === null ? 0 : Number(error.code)),
    );
  });
}

t.test('a Pod that nothing closes tells whether it reaches the canary and name servers', async t => {
  const open = { canary: addressOf(await canary(t)), isOpen: true, names: false };
  const { address, asked } = await nameServer(t);
  t.equal(await statusOf(open, address), STATUS.ok);
  t.match(asked[0], /kubernetes default svc/, 'no name that leaves the cluster');
  t.equal(await statusOf(open, `127.0.0.1:${await freePort()}`), STATUS.okWithoutNames);
});

t.test('a Pod that is closed must reach name servers, if others do, and not the canary', async t => {
  const server = await canary(t);
  const closed = { canary: `127.0.0.1:${await freePort()}`, isOpen: false, names: true };
  const { address, asked } = await nameServer(t);
  const nobody = `127.0.0.1:${await freePort()}`;
  t.same(
    await Promise.all([
      statusOf(closed, address),
      statusOf(closed, nobody),
      statusOf({ ...closed, names: false }, nobody),
      statusOf({ ...closed, canary: addressOf(server) }, address),
    ]),
    [STATUS.ok, STATUS.noNames, STATUS.ok, STATUS.reached],
  );
  t.equal(asked.length, 1);
});

t.test('a Pod that is closed some time after its start is found', async t => {
  const server = await canary(t);
  server.once('connection', () => server.close());
  const late = { canary: addressOf(server), isOpen: false, names: false };
  t.equal(await statusOf(late, '127.0.0.1:9'), STATUS.late);
});

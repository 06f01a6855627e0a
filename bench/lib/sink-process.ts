/**
 * Takes what viewers send and ignores it: upgrades all requests, answers all others with an empty object, and reads
 * what a hostile agent sends over the link. Arguments: port and secret of that agent.
 */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { WebSocketServer } from 'ws';
import { LINK_VERSION } from '../../src/protocol/link-proof.js';
import { connectDirect } from './direct.js';
import { Scope } from './scope.js';

const [, , port = '0', secret = ''] = process.argv;
const server = createServer((_request, response) => response.end('{}'));
const sockets = new WebSocketServer({ server, perMessageDeflate: false });
sockets.on('connection', socket => socket.on('error', () => {}));
server.listen(0, '127.0.0.1');
await once(server, 'listening');
await connectDirect(new Scope(), { host: '127.0.0.1', port: Number(port), secret, linkVersion: LINK_VERSION });
process.send?.({ base: `http://127.0.0.1:${(server.address() as AddressInfo).port}/s/sink` });
// Ends with the benchmark, however that ends.
process.on('disconnect', () => process.exit());

import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** Bytes buffered at the bottleneck before TCP is throttled. */
const QUEUE_BYTES = 128 << 10;

interface Teardown {
  teardown(handler: () => unknown): void;
}

/**
 * Starts a proxy to a port on loopback with `kbps` towards the client and a delay of `delayMs` each way; returns its
 * port.
 */
export async function narrowPath(scope: Teardown, port: number, kbps: number, delayMs: number): Promise<number> {
  const server = createServer(client => {
    const service = connect(port, '127.0.0.1');
    for (const socket of [client, service]) socket.setNoDelay(true).on('error', () => socket.destroy());
    squeeze(service, client, kbps, delayMs);
    squeeze(client, service, Infinity, delayMs);
    scope.teardown(() => (client.destroy(), service.destroy()));
  }).listen(0, '127.0.0.1');
  scope.teardown(() => server.close());
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

/** Forwards data from `from` to `to`, with a limited rate and a delay. */
function squeeze(from: Socket, to: Socket, kbps: number, delayMs: number): void {
  const queue: { piece: Buffer; at: number }[] = [];
  let freeAt = 0;
  let queued = 0;
  let timer: NodeJS.Timeout | undefined;
  const pass = () => {
    for (let head = queue[0]; head !== undefined && head.at <= performance.now(); head = queue[0]) {
      queue.shift();
      queued -= head.piece.length;
      if (!to.destroyed) to.write(head.piece);
    }
    if (queued <= QUEUE_BYTES) from.resume();
    timer = queue[0] && setTimeout(pass, queue[0].at - performance.now());
  };
  from.on('data', chunk => {
    queued += chunk.length;
    if (queued > QUEUE_BYTES) from.pause();
    // In pieces, like packets.
    for (let start = 0; start < chunk.length; start += 1400) {
      const piece = chunk.subarray(start, start + 1400);
      freeAt = Math.max(freeAt, performance.now()) + (piece.length * 8) / kbps;
      queue.push({ piece, at: freeAt + delayMs });
    }
    timer ??= setTimeout(pass, delayMs);
  });
  from.on('close', () => {
    clearTimeout(timer);
    to.destroy();
  });
}

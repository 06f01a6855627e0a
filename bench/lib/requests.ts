import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** A GET request that is sent again and again. */
export interface Repeated {
  url: string;
  headers: Readonly<Record<string, string>>;
}

/**
 * Sends a request over `connections` keep-alive connections for some time; returns answers per second and their
 * latencies, ms. Speaks plain TCP, since a client of Node's own takes as much of the processor as the server does.
 */
export async function requestRate(
  request: Repeated,
  { ms, connections }: { ms: number; connections: number },
): Promise<{ perSecond: number; times: number[] }> {
  const bytes = Buffer.from(textOf(request));
  const sockets = await Promise.all(Array.from({ length: connections }, () => open(request.url)));
  const times: number[] = [];
  const began = performance.now();
  const one = async (socket: Socket) => {
    while (performance.now() < began + ms) {
      const sent = performance.now();
      await answerTo(socket, bytes);
      times.push(performance.now() - sent);
    }
  };
  await Promise.all(sockets.map(one));
  const elapsed = performance.now() - began;
  for (const socket of sockets) socket.destroy();
  return { perSecond: (times.length * 1000) / elapsed, times };
}

function textOf({ url, headers }: Repeated): string {
  const { host, pathname } = new URL(url);
  const lines = Object.entries({ host, ...headers }).map(([name, value]) => `${name}: ${value}\r\n`);
  return `GET ${pathname} HTTP/1.1\r\n${lines.join('')}\r\n`;
}

async function open(url: string): Promise<Socket> {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port), noDelay: true });
  await once(socket, 'connect');
  return socket;
}

/** Sends a request and waits until its answer is complete, whose length must be in its header. */
function answerTo(socket: Socket, request: Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    let text = '';
    let length = Infinity;
    const settle = (error?: Error) => {
      socket.off('data', read).off('error', settle).off('close', closed);
      if (error === undefined) resolve();
      else reject(error);
    };
    const closed = () => settle(new Error('The connection was closed before the answer.'));
    const read = (chunk: Buffer) => {
      text += chunk.toString('latin1');
      const head = text.indexOf('\r\n\r\n');
      if (head < 0) return;
      if (length === Infinity) {
        if (!text.startsWith('HTTP/1.1 200 ')) return settle(new Error(`Answered: ${text}`));
        length = head + 4 + Number(/\r\ncontent-length: (\d+)/i.exec(text)?.[1]);
      }
      if (text.length >= length) settle();
    };
    socket.on('data', read).on('error', settle).on('close', closed);
    socket.write(request);
  });
}

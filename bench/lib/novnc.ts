import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { until } from '../../test/fixtures/until.js';
import { chromiumArguments, type Scene } from './chromium.js';
import { buildImage, CHROMIUM_CONTAINER, nameOf, startContainer } from './docker.js';
import type { Scope } from './scope.js';

const IMAGE = 'berth-bench/novnc';
const PORT = 6080;

/** A session of TigerVNC's server shown by noVNC. */
export interface VncSession {
  container: string;
  /** Address of noVNC's page, connecting at once. */
  url: string;
}

/** Starts the same Chromium on TigerVNC's X server, served by noVNC. */
export async function startVnc(scope: Scope, scene: Scene): Promise<VncSession> {
  await buildImage(IMAGE, 'bench/novnc');
  const container = nameOf('novnc');
  const size = `${scene.width}x${scene.height}`;
  const host = await startContainer(scope, container, [...CHROMIUM_CONTAINER, IMAGE, size, ...chromiumArguments(scene)]);
  const files = `http://${host}:${PORT}`;
  await until('noVNC answers', () => fetch(files).then(({ ok }) => ok, () => false), 15_000);
  const port = await serveCopy(scope, files);
  return { container, url: `http://localhost:${port}/vnc_lite.html?host=${host}&port=${PORT}` };
}

/**
 * Serves another server's files on localhost, which makes noVNC's page the secure context that it asks for. Its
 * socket goes straight to the container.
 */
async function serveCopy(scope: Scope, origin: string): Promise<number> {
  const server = createServer((request, response) => {
    const copy = async () => {
      const answer = await fetch(new URL(request.url ?? '/', origin));
      response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? 'text/plain' });
      response.end(Buffer.from(await answer.arrayBuffer()));
    };
    copy().catch(() => response.destroy());
  });
  scope.teardown(() => server.close());
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

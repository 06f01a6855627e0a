import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import express from 'express';
import { until } from '../../test/fixtures/until.js';
import { chromiumCommand, type Scene } from './chromium.js';
import { buildImage, CHROMIUM_CONTAINER, docker, nameOf, networkSettled, startContainer } from './docker.js';
import type { Scope } from './scope.js';

const IMAGE = 'berth-bench/novnc';
const PORT = 6080;

/** A session on TigerVNC's server, shown by noVNC. */
export interface VncSession {
  container: string;
  /** Address of noVNC's page, connecting at once. */
  url: string;
  /** Where its socket connects. */
  host: string;
  port: number;
}

/** Starts the same Chromium on TigerVNC's X server, served by noVNC. */
export async function startVnc(scope: Scope, scene: Scene): Promise<VncSession> {
  await buildImage(IMAGE, 'bench/novnc');
  const container = nameOf('novnc');
  const size = `${scene.width}x${scene.height}`;
  const host = await startContainer(scope, container, [...CHROMIUM_CONTAINER, IMAGE, size, ...chromiumCommand(scene)]);
  await until(
    'websockify answers',
    () =>
      fetch(`http://${host}:${PORT}`).then(
        ({ ok }) => ok,
        () => false,
      ),
    15_000,
  );
  await networkSettled();
  const port = await servePage(scope, container);
  return { container, host, port: PORT, url: `http://localhost:${port}/vnc_lite.html?host=${host}&port=${PORT}` };
}

/**
 * Serves noVNC's page on localhost, so that it is the secure context that noVNC needs. Its socket connects directly to
 * the container.
 */
async function servePage(scope: Scope, container: string): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'berth-bench-novnc-'));
  scope.teardown(() => rm(folder, { recursive: true, force: true }));
  await docker('cp', `${container}:/usr/share/novnc/.`, folder);
  const server = express().use(express.static(folder)).listen(0, '127.0.0.1');
  scope.teardown(() => server.close());
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

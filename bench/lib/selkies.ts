import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { until } from '../../test/fixtures/until.js';
import type { Scene } from './chromium.js';
import { docker, nameOf, networkSettled, startContainer } from './docker.js';
import type { Scope } from './scope.js';

/** An image that takes the page's address as its argument and serves Selkies' page on port 3000. */
const IMAGE = 'peer/selkies';
const PORT = 3000;
const START_TIMEOUT_MS = 30_000;

/** Whether the engine has the image; nothing here builds it. */
export const hasSelkies = (): Promise<boolean> =>
  docker('image', 'inspect', IMAGE).then(
    () => true,
    () => false,
  );

/** Starts Chromium on Selkies' X server with Selkies' own defaults: whole frames of H.264, 60 a second, CRF 25. */
export async function startSelkies(scope: Scope, scene: Scene): Promise<{ container: string; url: string }> {
  const container = nameOf('selkies');
  const size = ['-e', `SELKIES_MANUAL_WIDTH=${scene.width}`, '-e', `SELKIES_MANUAL_HEIGHT=${scene.height}`];
  const safety = ['--shm-size', '1g', '--security-opt', 'seccomp=images/seccomp.json'];
  // Its page plays video only in a secure context, such as localhost.
  await startContainer(scope, container, ['-p', `127.0.0.1::${PORT}`, ...size, ...safety, IMAGE, scene.url]);
  const address = (await docker('port', container, String(PORT))).split('\n')[0]?.trim();
  await until(
    'Selkies listens',
    async () => (await logsOf(container)).includes('Data WebSocket Server listening'),
    START_TIMEOUT_MS,
  );
  await networkSettled();
  return { container, url: `http://localhost:${address?.split(':').at(-1)}/` };
}

/** The output of its programs, of both streams. */
async function logsOf(container: string): Promise<string> {
  const { stdout, stderr } = await promisify(execFile)('docker', ['logs', container]);
  return stdout + stderr;
}

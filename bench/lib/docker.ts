import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { until } from '../../test/fixtures/until.js';
import type { Scope } from './scope.js';

const run = promisify(execFile);

/** Runs the engine's command and returns its output. */
export async function docker(...args: string[]): Promise<string> {
  const { stdout } = await run('docker', args, { maxBuffer: 16 << 20 });
  return stdout.trim();
}

/** A name for a container of this run. */
export const nameOf = (what: string) => `berth-bench-${what}-${process.pid}-${++named}`;
let named = 0;

/** The image of Berth's sessions; what it is compared with runs from it too. */
export const CHROMIUM_IMAGE = `${process.env['BERTH_IMAGE_PREFIX'] ?? 'berth'}/chromium`;

/** What Chromium needs from its container: its own sandbox, shared memory, space for its profile. */
export const CHROMIUM_CONTAINER = [
  '--security-opt',
  'seccomp=images/seccomp.json',
  '--shm-size',
  '512m',
  '--tmpfs',
  '/home/berth:uid=1000,gid=1000,mode=0700',
];

/** Starts a container in the background; it is removed with the scope. Returns its address on the engine's network. */
export async function startContainer(scope: Scope, name: string, args: readonly string[]): Promise<string> {
  scope.teardown(() => docker('rm', '-f', name));
  await docker('run', '-d', '--name', name, ...args);
  return docker('inspect', name, '--format', '{{range .NetworkSettings.Networks}}{{.IPAddress}}{{end}}');
}

const SETTLED_MS = 10_000;
/** Flag of an IPv6 address that the kernel still checks (linux/if_addr.h). */
const TENTATIVE = 0x40;

/**
 * Resolves when the addresses of this machine no longer change because of a new container's interface: at each change a
 * viewer's browser breaks off what it is loading, and the pages of other viewers do not try again.
 */
export function networkSettled(): Promise<unknown> {
  return until(
    'the network has settled',
    async () => {
      const lines = (await readFile('/proc/net/if_inet6', 'utf8').catch(() => '')).split('\n').filter(Boolean);
      return lines.every(line => (parseInt(line.split(/ +/)[4] ?? '', 16) & TENTATIVE) === 0);
    },
    SETTLED_MS,
  );
}

/** Builds an image of bench/ on top of the sessions' image, using Docker's cache. */
export function buildImage(tag: string, folder: string): Promise<string> {
  return docker('build', '-q', '-t', tag, '--build-arg', `CHROMIUM=${CHROMIUM_IMAGE}`, folder);
}

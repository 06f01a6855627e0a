import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildImage, docker, shell } from '../../fixtures/engines/docker.js';
import { guard } from '../../fixtures/guard.js';
import { imageName } from '../../fixtures/engines/images.js';
import { until } from '../../fixtures/until.js';

const PREFIX = imageName('base').replace(/\/base$/, '');
const IMAGE = `berth-test/desktop:${PREFIX.replaceAll(/\W/g, '-')}`;
const own = fileURLToPath(new URL('image', import.meta.url));
const product = fileURLToPath(new URL('../../../images/base/etc', import.meta.url));
const owned = 'rw,nosuid,nodev,mode=0700,uid=1000,gid=1000';

interface Teardown {
  teardown(handler: () => unknown): void;
}

async function buildDesktop(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'berth-test-'));
  try {
    await cp(own, folder, { recursive: true });
    await cp(product, folder, { recursive: true });
    await buildImage('--build-arg', `PREFIX=${PREFIX}`, '-t', IMAGE, folder);
  } finally {
    await rm(folder, { recursive: true });
  }
}

let count = 0;

/** A container with an X server, a window manager, sound and small programs, sandboxed as sessions are. */
export class Desktop {
  readonly name = `berth-test-display-${process.pid}-${++count}`;

  /** Starts one; it is removed when the test ends. */
  static async start(t: Teardown): Promise<Desktop> {
    await buildDesktop();
    const desktop = new Desktop();
    const watch = guard(`docker rm -f ${desktop.name}`, process.env);
    t.teardown(async () => {
      await docker('rm', '-f', desktop.name);
      watch.dismiss();
    });
    await docker(
      'run',
      '-d',
      '--name',
      desktop.name,
      '--cap-drop',
      'ALL',
      '--read-only',
      '--network',
      'none',
      '--security-opt',
      'no-new-privileges',
      '--tmpfs',
      '/tmp:rw,nosuid,nodev,mode=1777',
      '--tmpfs',
      `/run/berth:${owned}`,
      '--tmpfs',
      `/home/berth:${owned}`,
      IMAGE,
    );
    await until('the desktop is up', async () => (await desktop.try('test -e /tmp/ready')).status === 0);
    return desktop;
  }

  /** Runs a shell script inside; gives its status and output. */
  try(script: string): Promise<{ status: number; output: string }> {
    return shell(this.name, script);
  }

  /** Runs a shell script inside that must succeed; gives its output. */
  async run(script: string): Promise<string> {
    const { status, output } = await this.try(script);
    if (status !== 0) throw new Error(`${script}: ${output}`);
    return output;
  }

  /** Starts a program inside that goes on running. */
  async launch(...command: string[]): Promise<void> {
    await docker('exec', '-d', this.name, ...command);
  }

  /** What a file inside holds, empty while there is none. */
  async read(path: string): Promise<string> {
    // The dot keeps the line break at the end.
    return (await this.try(`cat ${path} 2>/dev/null; printf .`)).output.slice(0, -1);
  }
}

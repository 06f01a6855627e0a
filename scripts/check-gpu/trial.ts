import { execFile } from 'node:child_process';
import { posix } from 'node:path';
import type { Scope } from '../../bench/lib/scope.js';
import type { Config } from '../../src/server/config/index.js';
import { docker } from '../../test/fixtures/engines/docker.js';
import { type Service, startService } from '../../test/fixtures/services/service.js';

/** Settings of the service that make a difference to sessions with a card. */
const SETTINGS = /^BERTH_(GPU.*|SESSION_.*|APPARMOR|RUNTIME|IMAGE_PREFIX|START_TIMEOUT)$/;

const RUN_MS = 60_000;

/** What the checks have found out about the card so far. */
export class GpuTrial {
  readonly config: Readonly<Config>;
  /** Identifies this process, for finding leftovers. */
  readonly instance = `berth-test-card-${process.pid}`;
  readonly encoder = '/usr/local/bin/berth-encoder';
  /** What encoders that made a frame said, by their names. */
  readonly tried = new Map<string, { encoded: string; decoded: string }>();
  readonly #scope: Scope;
  #withCard: Promise<Service> | undefined;

  constructor(config: Readonly<Config>, scope: Scope) {
    this.config = config;
    this.#scope = scope;
  }

  get image(): string {
    return `${this.config.imagePrefix}/chromium:latest`;
  }

  /** The render node on this machine. */
  get node(): string {
    return this.config.gpu?.device ?? '';
  }

  get scope(): Scope {
    return this.#scope;
  }

  /** Runs a command in a container with the same access to the card as sessions, as their user. */
  async run(...command: string[]): Promise<{ status: number; output: string }> {
    const { gpu, runtime } = this.config;
    const name = `${this.instance}-run`;
    const user = ['--user', '1000:1000', '--group-add', String(gpu?.group ?? ''), '--cap-drop', 'ALL'];
    const closed = ['--security-opt', 'no-new-privileges', '--read-only', '--network', 'none', '--pull', 'never'];
    const device = ['--device', `${this.node}:/dev/dri/${posix.basename(this.node)}:rw`];
    const [program = '', ...args] = command;
    const options = [...user, ...closed, ...device, ...(runtime === null ? [] : ['--runtime', runtime])];
    try {
      return await new Promise(resolve =>
        execFile(
          'docker',
          ['run', '--rm', '--name', name, ...options, '--entrypoint', program, this.image, ...args],
          { timeout: RUN_MS },
          (error, stdout, stderr) => resolve({ status: error === null ? 0 : 1, output: stdout + stderr }),
        ),
      );
    } finally {
      await docker('rm', '-f', name).catch(() => undefined);
    }
  }

  /** A service whose sessions have the card. */
  withCard(): Promise<Service> {
    return (this.#withCard ??= this.service({}));
  }

  /** Starts a service of its own with the settings of this one, and others. */
  service(settings: Record<string, string>): Promise<Service> {
    const own = Object.entries(process.env).filter(([name, value]) => SETTINGS.test(name) && value !== undefined);
    return startService(this.#scope, {
      ...(Object.fromEntries(own) as Record<string, string>),
      BERTH_INSTANCE: this.instance,
      ...settings,
    });
  }
}

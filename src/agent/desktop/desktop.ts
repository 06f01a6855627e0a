import type { Handover } from '../handover/handover.js';
import type { Log } from '../log.js';
import { Program } from '../process/program.js';
import { xServer } from './x-server.js';

/** How the small programs that every session needs are started again, as long as it takes. */
const PATIENT = { first: 50, longest: 2000, window: 30_000, tolerated: Infinity };

export interface DesktopOptions {
  readonly log: Log;
  readonly env: Record<string, string>;
  readonly handover: Handover;
  /** Descriptor on which the X server of the container's start script says that it is ready; undefined where it has. */
  readonly readyFd: number | undefined;
  /** The X server died, and with it everything on it. */
  readonly lost: () => void;
  readonly failed: (reason: string) => void;
}

/** X server, window manager and sound: started with the container, before it is known what will run. */
export class Desktop {
  readonly #x: Program;
  readonly #programs: Program[];

  constructor({ log, env, handover, readyFd, lost, failed }: DesktopOptions) {
    this.#x = xServer({ log, env, handover, readyFd, lost, failed });
    const windowManager = new Program({
      name: 'openbox',
      log,
      policy: PATIENT,
      handover,
      adopted: () => undefined,
      command: async () => {
        await this.#x.whenUp();
        return { file: 'openbox', args: ['--sm-disable', '--config-file', '/etc/berth/openbox.xml'], env };
      },
    });
    const sound = new Program({
      name: 'pulseaudio',
      log,
      policy: PATIENT,
      handover,
      adopted: () => undefined,
      command: () => ({
        file: 'pulseaudio',
        args: ['--daemonize=no', '--exit-idle-time=-1', '--disallow-exit', '-n', '-F', '/etc/berth/pulse.pa'],
        env,
      }),
    });
    this.#programs = [windowManager, sound];
  }

  start(): void {
    this.#x.start();
    for (const program of this.#programs) program.start();
  }

  /** Resolves when the X server takes connections. */
  whenUp(): Promise<void> {
    return this.#x.whenUp();
  }

  async stop(): Promise<void> {
    await Promise.all(this.#programs.map(program => program.stop()));
    await this.#x.stop();
  }
}

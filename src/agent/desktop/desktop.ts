import { Program } from '../process/program.js';
import { xServer, type XServerOptions } from './x-server.js';

/** Restart policy of the small programs that every session needs: without a limit. */
const PATIENT = { first: 50, longest: 2000, window: 30_000, tolerated: Infinity };

/**
 * Nobody types into openbox, which reads all composed characters anew whenever a key gets a symbol: that takes a
 * processor for 50 ms, in which windows wait.
 */
const NO_COMPOSING = { XCOMPOSEFILE: '/dev/null' };

/** X server, window manager and sound: started with the container, before the launch is known. */
export class Desktop {
  readonly #x: Program;
  readonly #programs: Program[];

  constructor(options: XServerOptions) {
    const { log, env, handover } = options;
    this.#x = xServer(options);
    const windowManager = new Program({
      name: 'openbox',
      log,
      policy: PATIENT,
      handover,
      adopted: () => undefined,
      command: async () => {
        await this.#x.whenUp();
        return {
          file: 'openbox',
          args: ['--sm-disable', '--config-file', '/etc/berth/openbox.xml'],
          env: { ...env, ...NO_COMPOSING },
        };
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

  /** Resolves when the X server accepts connections. */
  whenUp(): Promise<void> {
    return this.#x.whenUp();
  }

  async stop(): Promise<void> {
    await Promise.all(this.#programs.map(program => program.stop()));
    await this.#x.stop();
  }
}

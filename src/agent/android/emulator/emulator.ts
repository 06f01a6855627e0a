import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { LaunchAndroid } from '../../../protocol/generated/schemas.js';
import { Program } from '../../process/program.js';
import type { SessionProgramOptions } from '../../session/session-program.js';
import { DeviceProblem } from '../device/problem.js';
import { AVD_FOLDER, writeAvd } from './avd.js';
import { emulatorCommand } from './command.js';
import { installed } from './installed.js';
import { sessionKey } from './session-key.js';
import { noteFingerprint } from './user-data.js';

/** How an emulator that dies is restarted, milliseconds. */
const POLICY = { first: 500, longest: 4000, window: 300_000, tolerated: 2 } as const;

/** Time to write the device's data when the session ends, milliseconds; the container ends soon after. */
const GRACE = 2000;

/** How long a device may take to shut down with everything written, milliseconds. */
const SHUTDOWN = 60_000;

/** The machine's resources where an older service does not state them in the launch. */
const DEFAULTS = { memory_mb: 3072, cpus: 2, disk_mb: 6144 } as const;

/** The home folder of the session's user. */
export const homeIn = (env: Record<string, string>) => env['HOME'] ?? '/home/berth';

/** Google's emulator in the session's container. */
export class Emulator {
  readonly #launch: LaunchAndroid;
  readonly #home: string;
  readonly #program: Program;
  #key: string | undefined;
  /** Called when it has ended by itself, once its device was told to shut down. */
  #isOff: (() => void) | undefined;

  /** `gaveUp` is called when it has died too often, with its last output. */
  constructor(
    launch: LaunchAndroid,
    { log, env, handover }: Pick<SessionProgramOptions, 'log' | 'env' | 'handover'>,
    gaveUp: (problem: DeviceProblem) => void,
  ) {
    this.#launch = launch;
    this.#home = join(homeIn(env), '.android');
    this.#program = new Program({
      name: 'emulator',
      log,
      policy: POLICY,
      grace: GRACE,
      handover,
      command: () => emulatorCommand(env, this.#home, launch.android.locale),
      // It outlives the agent.
      adopted: () => undefined,
      normal: ({ signal }) => this.#isOff !== undefined && signal === null,
      died: () => {
        if (this.#isOff === undefined) return;
        void this.#program.stop();
        this.#isOff();
      },
      gaveUp: reason =>
        gaveUp(new DeviceProblem('emulator_failed', `The emulator ended too often: ${reason}`, 'crash')),
    });
  }

  /** The key that its device trusts; undefined until it was started. */
  get key(): string | undefined {
    return this.#key;
  }

  /** Starts it. @throws DeviceProblem if that is impossible here */
  async start(): Promise<void> {
    await checkKvm();
    const { image } = await installed();
    this.#key = await sessionKey(this.#home);
    const { display, android } = this.#launch;
    const { memory_mb, cpus, disk_mb } = { ...DEFAULTS, ...(android.device.type === 'emulator' ? android.device : {}) };
    const { width, height } = display;
    await writeAvd({
      image,
      width,
      height,
      density: android.density,
      memoryMb: memory_mb,
      cpus,
      diskMb: disk_mb,
    })
      .then(noteFingerprint)
      .catch((error: unknown) => {
        throw new DeviceProblem(
          'emulator_failed',
          `The emulator's folder ${AVD_FOLDER} cannot be written: ${String(error)}.`,
        );
      });
    this.#program.start();
  }

  /**
   * Shuts the device down, so that its data are complete: `powerOff` tells it to. @throws Error if it is not running,
   * or has not ended in time
   */
  async shutDown(powerOff: () => Promise<void>): Promise<void> {
    if (this.#program.pid === undefined) throw new Error('the emulator is not running');
    const off = new Promise<void>(resolve => (this.#isOff = resolve));
    await powerOff();
    await withDeadline(off, SHUTDOWN);
  }

  stop(): Promise<void> {
    return this.#program.stop();
  }
}

/** Checks that /dev/kvm can be opened: in a container, its mode alone does not tell. @throws DeviceProblem */
async function checkKvm(): Promise<void> {
  try {
    await (await open('/dev/kvm', 'r+')).close();
  } catch {
    throw new DeviceProblem(
      'no_kvm',
      'The emulator cannot run on this machine: /dev/kvm is missing, or closed to sessions.',
    );
  }
}

async function withDeadline(work: Promise<void>, ms: number): Promise<void> {
  const late = new AbortController();
  const timer = delay(ms, undefined, { signal: late.signal }).then(() => {
    throw new Error(`the device did not shut down within ${ms} ms`);
  });
  try {
    await Promise.race([work, timer]);
  } finally {
    late.abort();
    timer.catch(() => undefined);
  }
}

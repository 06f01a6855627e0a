import type { AndroidDeadlines } from '../../../protocol/generated/schemas.js';
import { DeviceProblem } from './problem.js';

/**
 * How far a device is. `app` has no deadline, since apps may be large; `retry` follows where something failed in it.
 * After a loss there is one deadline for everything.
 */
export type Phase = 'connect' | 'boot' | 'app' | 'retry' | 'picture' | 'running' | 'lost';

const ORDER: readonly Phase[] = ['connect', 'boot', 'app', 'retry', 'picture', 'running'];

const seconds = (ms: number) => `${Math.round(ms / 1000)} s`;

/** The phases of a session's device, and what it means that one took too long. */
export class Phases {
  readonly #deadlines: AndroidDeadlines;
  readonly #stop: AbortSignal;
  #phase: Phase;
  #signal: AbortSignal;
  #timer: NodeJS.Timeout | undefined;

  /** `stop` ends the session. A device that is started for it has its time to boot until it has booted. */
  constructor(deadlines: AndroidDeadlines, stop: AbortSignal, first: 'connect' | 'boot') {
    this.#deadlines = deadlines;
    this.#stop = stop;
    this.#phase = first;
    this.#signal = this.#signalOf(first);
  }

  get current(): Phase {
    return this.#phase;
  }

  /** Aborts when the phase has taken too long, or the session ends. */
  get signal(): AbortSignal {
    return this.#signal;
  }

  /** An attempt failed. */
  failed(): void {
    if (this.#phase === 'running') this.enter('lost');
    if (this.#phase === 'app') this.enter('retry');
  }

  /** A later phase begins; one that was reached before does not begin anew. After a loss only `running` does. */
  enter(phase: Phase): void {
    const isLater = ORDER.indexOf(phase) > ORDER.indexOf(this.#phase);
    const begins = this.#phase === 'lost' ? phase === 'running' : isLater || phase === 'lost';
    if (!begins) return;
    this.#phase = phase;
    this.#signal = this.#signalOf(phase);
  }

  /** What to say of a phase that took too long. */
  get problem(): DeviceProblem {
    const { connect, boot, picture, lost } = this.#deadlines;
    switch (this.#phase) {
      case 'boot':
        return new DeviceProblem('boot_timeout', `The device did not finish booting within ${seconds(boot)}.`);
      case 'picture':
        return new DeviceProblem('no_picture', `The device sent no picture within ${seconds(picture)}.`);
      case 'retry':
        return new DeviceProblem('adb_unreachable', `The device could not be made ready within ${seconds(lost)}.`);
      case 'lost':
        return new DeviceProblem('adb_unreachable', `The device was lost for ${seconds(lost)}.`, 'crash');
      default:
        return new DeviceProblem('adb_unreachable', `The device did not answer within ${seconds(connect)}.`);
    }
  }

  // With a timer of its own: Node collects AbortSignal.timeout() where only a composed signal refers to it.
  #signalOf(phase: Phase): AbortSignal {
    clearTimeout(this.#timer);
    if (phase === 'app' || phase === 'running') return this.#stop;
    const late = new AbortController();
    const deadline = this.#deadlines[phase === 'retry' ? 'lost' : phase];
    this.#timer = setTimeout(() => late.abort(), deadline).unref();
    return AbortSignal.any([this.#stop, late.signal]);
  }
}

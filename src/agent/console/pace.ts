import { setTimeout as sleep } from 'node:timers/promises';
import { CallFailure } from '../link/calls.js';
import type { Emulator, EmulatorRun } from './emulator.js';

/** The pace of a game, as requested by players. */
export interface Pace {
  readonly paused: boolean;
  readonly fastForward: boolean;
}

export const NORMAL_PACE: Pace = { paused: false, fastForward: false };

/** Answers after which a game has started to obey a command: an emulator answers once per frame. */
const FRAMES = 3;

/** Time limit for a paused game to come to rest again, ms. */
const REST_TIMEOUT_MS = 2000;
const LOOK_EVERY_MS = 20;

/** The part of an emulator's run that has a pace. */
interface Paced extends Pick<EmulatorRun, 'ended'> {
  readonly emulator: Pick<Emulator, 'pause' | 'fastForward' | 'show' | 'status'>;
}

/** Keeps emulators at the requested pace. One command at a time. */
export class PaceKeeper {
  readonly #changed: (pace: Pace) => void;
  #pace: Pace;

  constructor(changed: (pace: Pace) => void, pace = NORMAL_PACE) {
    this.#changed = changed;
    this.#pace = pace;
  }

  get current(): Pace {
    return this.#pace;
  }

  /** Changes the pace; resolves when the emulator has it. @throws CallFailure */
  async change(run: Paced, change: Partial<Pace>): Promise<void> {
    const wanted = { ...this.#pace, ...change };
    await bring(run, wanted);
    this.#note(wanted);
  }

  /** Sets an emulator that was just started to the pace of the previous one. Never rejects. */
  async resume(run: Paced): Promise<void> {
    const { paused, fastForward } = this.#pace;
    if (paused || fastForward) await this.enforce(run);
  }

  /** Sets an emulator to the pace, whatever it was told before. Never rejects. */
  async enforce(run: Paced): Promise<void> {
    await bring(run, this.#pace).catch(() => this.#note(NORMAL_PACE));
  }

  /** A paused game plays some frames after a reset, or after loading a state: resolves when it rests again. */
  async rested({ emulator, ended }: Paced): Promise<void> {
    if (!this.#pace.paused) return;
    for (let frame = 0; frame < FRAMES; frame++) await emulator.status();
    const deadline = performance.now() + REST_TIMEOUT_MS;
    while ((await emulator.status()) === 'playing' && !ended.aborted && performance.now() < deadline)
      await sleep(LOOK_EVERY_MS);
    await emulator.show();
  }

  #note(pace: Pace): void {
    const before = this.#pace;
    this.#pace = pace;
    if (pace.paused !== before.paused || pace.fastForward !== before.fastForward) this.#changed(pace);
  }
}

/** A paused game gets its speed when it resumes. */
async function bring({ emulator, ended }: Paced, { paused, fastForward }: Pace): Promise<void> {
  if (!(await emulator.pause(paused, ended))) {
    throw new CallFailure('agent_silent', 'The emulator did not answer in time; try again.');
  }
  if (!paused) await emulator.fastForward(fastForward);
}

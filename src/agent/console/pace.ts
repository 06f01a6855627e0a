import { setTimeout as sleep } from 'node:timers/promises';
import { CallFailure } from '../link/calls.js';
import type { Emulator, EmulatorRun } from './emulator.js';

/** How a game runs, as players have asked for it. */
export interface Pace {
  readonly paused: boolean;
  readonly fastForward: boolean;
}

export const NORMAL_PACE: Pace = { paused: false, fastForward: false };

/** In so many answers a game that was told to do something has begun with it: an emulator answers once a frame. */
const FRAMES = 3;

/** How long a paused game may take until it rests again, ms. */
const REST_TIMEOUT_MS = 2000;
const LOOK_EVERY_MS = 20;

/** What of an emulator has a pace. */
interface Paced extends Pick<EmulatorRun, 'ended'> {
  readonly emulator: Pick<Emulator, 'pause' | 'fastForward' | 'show' | 'status'>;
}

/** Keeps emulators at the pace that players have asked for. One order at a time. */
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

  /** Brings an emulator that was just started to the pace of the one before. Never rejects. */
  async resume(run: Paced): Promise<void> {
    const { paused, fastForward } = this.#pace;
    if (paused || fastForward) await this.enforce(run);
  }

  /** Brings an emulator to the pace, whatever it was told before. Never rejects. */
  async enforce(run: Paced): Promise<void> {
    await bring(run, this.#pace).catch(() => this.#note(NORMAL_PACE));
  }

  /** A paused game plays some frames after it was reset, or has gone on from a state: resolves when it rests again. */
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

/** What is paused is told how fast it is when it goes on. */
async function bring({ emulator, ended }: Paced, { paused, fastForward }: Pace): Promise<void> {
  if (!(await emulator.pause(paused, ended))) {
    throw new CallFailure('agent_silent', 'The emulator did not answer in time; try again.');
  }
  if (!paused) await emulator.fastForward(fastForward);
}

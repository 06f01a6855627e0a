import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { CallFailure } from '../link/calls.js';
import type { Log } from '../log.js';
import { Program, type Exit } from '../process/program.js';
import { AutomaticState } from './automatic-state.js';
import { coreOf } from './cores.js';
import type { Emulator } from './emulator.js';
import type { ConsoleKind } from '../../protocol/generated/schemas.js';
import { Mupen64Plus } from './mupen64plus.js';
import { ROM_FOLDER } from './paths.js';
import { RetroArch } from './retroarch.js';
import { prepareRom, type PreparedRom } from './rom/prepare.js';
import { RomProblem } from './rom/problem.js';
import { gameKey, openSaves } from './saves.js';
import { StateSlots } from './slots.js';

export interface GameOptions {
  readonly kind: ConsoleKind;
  readonly width: number;
  readonly height: number;
  /** Largest game, unpacked. */
  readonly maxBytes: number;
  /** Whether what is saved goes into a profile. */
  readonly keep: boolean;
  /** Resolves when the profile to begin with is in its place. */
  readonly profile: Promise<unknown>;
  readonly log: Log;
  readonly env: Record<string, string>;
  /** Resolves when programs can be shown. */
  readonly ready: () => Promise<void>;
  /** The emulator ended and is started again. */
  readonly lost: () => void;
  /** The emulator cannot be kept running. */
  readonly failed: (reason: string) => void;
  /** What was sent cannot be played. */
  readonly unplayable: (reason: string) => void;
}

const DOWNLOADED = `${ROM_FOLDER}/download`;

/** Where a game is saved that no profile keeps. */
const UNKEPT = 'unkept';

/** How long an emulator may take to write down what must be kept, ms. */
const SAVING_GRACE = 10_000;

/** RetroArch's exit code for a game that its core does not take. */
const REFUSED = 1;

type State = { is: 'empty' } | { is: 'loading' } | { is: 'playing'; path: string } | { is: 'unplayable' } | { is: 'over' };

/** A console: empty until its game comes, then an emulator that is kept running. */
export class Game {
  readonly #options: GameOptions;
  readonly #program: Program;
  readonly #automatic: AutomaticState;
  readonly #slots: StateSlots;
  #emulator: Emulator;
  #state: State = { is: 'empty' };
  #isPaused = false;
  #hasRun = false;

  constructor(options: GameOptions) {
    this.#options = options;
    this.#emulator = this.#newEmulator();
    this.#slots = new StateSlots(() => this.#emulator);
    this.#automatic = new AutomaticState(() => this.#emulator, this.#slots);
    this.#program = new Program({
      name: 'emulator',
      log: options.log,
      policy: { first: 200, longest: 1000, window: 60_000, tolerated: 3 },
      command: () => this.#command(),
      started: () => this.#automatic.started(),
      died: exit => this.#died(exit),
      gaveUp: options.failed,
      grace: 1500,
    });
  }

  /** Whether the game has not come yet. */
  get isEmpty(): boolean {
    return this.#state.is === 'empty';
  }

  /**
   * Takes the game. `name` is what its address calls it. Resolves when the emulator is being started.
   * @throws RomProblem where it cannot be played, which is the end
   */
  async insert(content: Readable, name: string): Promise<void> {
    if (this.#state.is !== 'empty') return void content.resume();
    this.#state = { is: 'loading' };
    try {
      await pipeline(content, createWriteStream(DOWNLOADED));
    } catch (error) {
      // The service sends it again.
      this.#state = { is: 'empty' };
      await rm(DOWNLOADED, { force: true });
      throw error;
    }
    try {
      const { kind, maxBytes } = this.#options;
      const rom = await prepareRom(kind, DOWNLOADED, name, maxBytes);
      await this.#findSaves(rom);
      if (this.#isOver) return;
      this.#state = { is: 'playing', path: rom.path };
    } catch (error) {
      this.#state = { is: 'unplayable' };
      this.#options.unplayable(error instanceof RomProblem ? error.message : 'The game could not be unpacked.');
      throw error;
    }
    this.#program.start();
  }

  save(slot: number): Promise<void> {
    return this.#running(() => this.#slots.save(slot));
  }

  load(slot: number): Promise<void> {
    return this.#running(() => this.#slots.load(slot));
  }

  reset(): Promise<void> {
    return this.#running(() => this.#emulator.reset());
  }

  pause(on: boolean): Promise<void> {
    return this.#running(async () => {
      if (on !== this.#isPaused) await this.#emulator.togglePause();
      this.#isPaused = on;
      this.#automatic.rest(on);
    });
  }

  fastForward(on: boolean): Promise<void> {
    return this.#running(() => this.#emulator.fastForward(on));
  }

  /** The X server died, and the emulator with it. */
  displayLost(): void {
    this.#program.kill();
  }

  /** Ends the game for good, with all the time that it needs to write down what must be kept: where it is, too. */
  async finish(): Promise<void> {
    this.#close();
    if (this.#program.pid !== undefined) {
      // What is paused takes no orders.
      if (this.#isPaused) await this.pause(false).catch(() => undefined);
      await this.#automatic.save({ last: true });
    }
    await this.#program.stop(SAVING_GRACE);
  }

  /** Ends the emulator, which writes its battery saves before. */
  async stop(): Promise<void> {
    this.#close();
    await this.#program.stop();
  }

  get #isOver(): boolean {
    return this.#state.is === 'over';
  }

  /** A game that comes after the end is not started any more. */
  #close(): void {
    if (this.#state.is !== 'playing') this.#state = { is: 'over' };
    this.#automatic.stop();
  }

  async #findSaves({ body }: PreparedRom): Promise<void> {
    const { kind, keep, profile } = this.#options;
    const key = keep ? await gameKey(body) : UNKEPT;
    await profile;
    await openSaves(kind, key);
  }

  async #command() {
    if (this.#state.is !== 'playing') throw new Error('there is no game');
    await this.#options.ready();
    this.#emulator = this.#newEmulator();
    this.#isPaused = false;
    const { width, height, env } = this.#options;
    return this.#emulator.command({ path: this.#state.path, width, height }, env);
  }

  #died({ code }: Exit): void {
    this.#automatic.rest(true);
    if (code === REFUSED && !this.#hasRun && !this.#automatic.hasPlayed) {
      this.#state = { is: 'unplayable' };
      void this.#program.stop();
      return this.#options.unplayable('The emulator could not start the game.');
    }
    this.#hasRun = true;
    this.#options.lost();
  }

  #newEmulator(): Emulator {
    const { kind } = this.#options;
    const core = coreOf(kind);
    return kind === 'n64' && core === undefined ? new Mupen64Plus() : new RetroArch(core ?? kind);
  }

  async #running(act: () => Promise<void>): Promise<void> {
    if (this.#state.is !== 'playing' || this.#program.pid === undefined) {
      throw new CallFailure('not_playing', 'No game is being played yet; try again when it is.');
    }
    await act();
  }
}

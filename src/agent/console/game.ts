import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Handover } from '../handover/handover.js';
import { CallFailure } from '../link/calls.js';
import type { Log } from '../lib/log.js';
import { waitOrKill } from '../process/adopted.js';
import { Program, type Exit } from '../process/program.js';
import { AutomaticState } from './automatic-state.js';
import { choicesOf, crashedAll } from './choices.js';
import type { Choice, ConsoleGames, PreparedRom } from './console-games.js';
import type { Discs } from '../../protocol/generated/schemas.js';
import { GameDiscs } from './discs.js';
import type { Emulator, EmulatorRun } from './emulator.js';
import { Fallback, isCrash, type EndedRun } from './fallback.js';
import { GameReceiver } from './game-receiver.js';
import { NORMAL_PACE, PaceKeeper, type Pace } from './pace.js';
import { ROM_FOLDER } from './paths.js';
import { GameRecord } from './record.js';
import { prepareRom } from './rom/prepare.js';
import { gameKey, openSaves } from './saves.js';
import { loadState, saveState } from './slots.js';
import { SerialQueue } from '../../lib/serial-queue.js';

export interface GameOptions {
  readonly games: ConsoleGames;
  readonly width: number;
  readonly height: number;
  /** Largest game, unpacked. */
  readonly maxBytes: number;
  /** Whether saves go into a profile. */
  readonly keep: boolean;
  /** Resolves when the profile to start with is in place. */
  readonly profile: Promise<unknown>;
  readonly log: Log;
  readonly env: Record<string, string>;
  readonly handover: Handover;
  /** Resolves when programs can be shown. */
  readonly ready: () => Promise<void>;
  /** The game is needed again: it arrived incomplete. */
  readonly missing: () => void;
  /** Its pace has changed. */
  readonly paced: (pace: Pace) => void;
  /** The game has several discs, and another one is inside. */
  readonly discChanged: (discs: Discs) => void;
  /** The emulator ended and is being restarted. */
  readonly lost: () => void;
  /** The emulator cannot be kept running. */
  readonly failed: (reason: string) => void;
  /** The file cannot be played. */
  readonly unplayable: (reason: string) => void;
}

const DOWNLOADED = `${ROM_FOLDER}/download`;

/** The key for the saves of a game that no profile keeps. */
const UNKEPT = 'unkept';

/** Time limit for an emulator to write its saves, ms. */
const SAVING_GRACE = 10_000;

/** How long a command waits for a game that is being started, ms. */
const BEGIN_TIMEOUT_MS = 10_000;

/** After this time the tray is closed again, ms: it takes 60 frames (images/console/psx/disc.h). */
const TRAY_MS = 2000;

/** RetroArch's exit code for a game that its core refuses. */
const REFUSED = 1;

/** A process of the emulator. */
interface Run extends EmulatorRun {
  readonly end: AbortController;
  /** When it was started, ms of `performance.now()`. */
  readonly since: number;
  /** Resolves with whether its game has started, and is back where it was left. */
  readonly begun: Promise<boolean>;
}

/** A console's game: once it has arrived, its emulator is kept running, from one agent to the next. */
export class Game {
  readonly #options: GameOptions;
  readonly #receiver: GameReceiver;
  readonly #program: Program;
  readonly #queue = new SerialQueue();
  readonly #automatic = new AutomaticState(this.#queue);
  readonly #pace: PaceKeeper;
  readonly #discs: GameDiscs;
  readonly #record: GameRecord;
  /** Resolves when an emulator that a previous agent told to end has ended. */
  readonly #finished: Promise<void> | undefined;
  readonly #choices: readonly [Choice, ...Choice[]];
  readonly #fallback: Fallback;
  #emulator: Emulator;
  #run: Run | undefined;
  #isClosed = false;
  #hasRun = false;
  #hasCrashed = false;

  constructor(options: GameOptions) {
    this.#options = options;
    const { handover, log, missing, unplayable } = options;
    this.#record = new GameRecord(handover);
    const left = this.#record.current;
    this.#choices = choicesOf(options.games.choices);
    const chosen = this.#choices.findIndex(({ name }) => name === left?.choice);
    this.#fallback = new Fallback(this.#choices.length, chosen);
    this.#emulator = this.#newEmulator(left?.isFast);
    const prepare = (name: string, ended: AbortSignal) => this.#prepare(name, ended);
    this.#receiver = new GameReceiver({
      file: DOWNLOADED,
      isThere: left !== undefined,
      prepare,
      log,
      missing,
      unplayable,
    });
    this.#discs = new GameDiscs(options.discChanged);
    this.#pace = new PaceKeeper(pace => this.#paced(pace), left?.pace);
    this.#program = new Program({
      name: 'emulator',
      log,
      policy: { first: 200, longest: 1000, window: 60_000, tolerated: 3 },
      command: () => this.#command(),
      started: () => this.#started(),
      handover,
      adopted: () => this.#adopted(),
      died: exit => this.#died(exit),
      gaveUp: reason => {
        this.#close();
        options.failed(this.#hasCrashed ? crashedAll(options.games, this.#choices) : reason);
      },
      grace: 1500,
    });
    if (!left?.isEnding) return;
    // A second request would make it end without writing its saves.
    this.#finished = waitOrKill(this.#program.left, SAVING_GRACE);
    this.#close();
  }

  /** Whether the game has not arrived yet. */
  get isEmpty(): boolean {
    return this.#receiver.isEmpty;
  }

  get pace(): Pace {
    return this.#pace.current;
  }

  /** Undefined: it does not have several, or has not begun. */
  get discs(): Discs | undefined {
    return this.#discs.current;
  }

  /** Continues the game that a previous agent received. */
  start(): void {
    if (this.#record.current !== undefined && !this.#isClosed) this.#program.start();
  }

  /**
   * Receives the game. `name` is the file name from its address. Resolves when the emulator is being started. @throws
   * RomProblem if it cannot be played, which is final
   */
  async insert(content: Readable, name: string): Promise<void> {
    await this.#receiver.take(content, name);
    if (!this.#isClosed) this.#program.start();
  }

  save(slot: number): Promise<void> {
    return this.#control(run => saveState(run, slot));
  }

  load(slot: number): Promise<void> {
    return this.#control(async run => {
      await loadState(run, slot);
      await this.#pace.rested(run);
      await this.#lookAtDiscs(run);
    });
  }

  /** Puts in another disc, from 1, where one is given; resolves with the discs. */
  async disc(disc: number | undefined): Promise<Omit<Discs, 'type'>> {
    await this.#control(async run => {
      if (disc !== undefined) await this.#discs.change(run, disc, this.#labels);
    });
    // A restarted emulator should not continue from before the change. Saving a state closes the tray.
    if (disc !== undefined) void sleep(TRAY_MS, undefined, { ref: false }).then(() => this.#automatic.save());
    const { type: _, ...discs } = this.#discs.several();
    return discs;
  }

  reset(): Promise<void> {
    return this.#control(async run => {
      await run.emulator.reset();
      await this.#pace.rested(run);
    });
  }

  pause(on: boolean): Promise<void> {
    return this.#control(run => this.#pace.change(run, { paused: on }));
  }

  fastForward(on: boolean): Promise<void> {
    return this.#control(run => this.#pace.change(run, { fastForward: on }));
  }

  /** The X server died, and with it the emulator. */
  displayLost(): void {
    this.#program.kill();
  }

  /** Ends the game for good, with enough time to write its saves and its current state. */
  async finish(): Promise<void> {
    if (this.#finished !== undefined) return this.#finished;
    this.#close();
    await this.#automatic.save({ last: true });
    await this.#end(SAVING_GRACE);
  }

  /** Ends the emulator, which first writes its battery saves. */
  async stop(): Promise<void> {
    this.#close();
    await this.#end();
  }

  /** Starts nothing and accepts no commands from now on. */
  #close(): void {
    this.#isClosed = true;
    this.#receiver.close();
    this.#automatic.stop();
  }

  async #end(grace?: number): Promise<void> {
    // A paused emulator does not react to the signal.
    if (this.#pace.current.paused && this.#run !== undefined) {
      await this.#run.emulator.pause(false, this.#run.ended).catch(() => false);
    }
    this.#record.change({ isEnding: true });
    await this.#program.stop(grace);
    this.#run?.end.abort();
  }

  async #prepare(name: string, ended: AbortSignal): Promise<void> {
    const { games, maxBytes } = this.#options;
    const rom = await prepareRom(games, { file: DOWNLOADED, name }, maxBytes, ended);
    await this.#findSaves(rom);
    this.#record.begin(rom, this.#choice.name, NORMAL_PACE);
  }

  async #findSaves({ body }: PreparedRom): Promise<void> {
    const { games, keep, profile } = this.#options;
    const key = keep ? await gameKey(body) : UNKEPT;
    await profile;
    await openSaves(games.kind, key);
  }

  async #command() {
    const { path } = this.#record.current ?? {};
    if (path === undefined || this.#isClosed) throw new Error('there is no game');
    await this.#options.ready();
    this.#emulator = this.#newEmulator();
    this.#record.change({ hasBegun: false, isFast: false });
    const { width, height, env } = this.#options;
    return this.#emulator.command({ path, width, height }, env);
  }

  #started(): Promise<void> {
    return this.#runs(run => this.#begin(run));
  }

  #adopted(): Promise<void> {
    if (!this.#record.current?.hasBegun) return this.#runs(run => this.#begin(run));
    return this.#runs(run => this.#goOn(run), -Infinity);
  }

  /** `since`: when its process was started, ms of `performance.now()`. */
  async #runs(begin: (run: EmulatorRun) => Promise<boolean>, since = performance.now()): Promise<void> {
    const end = new AbortController();
    const run: EmulatorRun = { emulator: this.#emulator, ended: end.signal };
    const begun = begin(run);
    this.#run = { ...run, end, begun, since };
    await begun;
  }

  /** Resolves with true when the game is back where it was left, at its previous pace. Never rejects. */
  async #begin(run: EmulatorRun): Promise<boolean> {
    if (!(await this.#automatic.started(run))) return false;
    this.#record.change({ hasBegun: true });
    await this.#queue.run(async () => {
      await this.#pace.resume(run);
      await this.#lookAtDiscs(run);
    });
    return true;
  }

  /** The same for a previous agent's process whose game has started: that agent may have died during a command. */
  async #goOn(run: EmulatorRun): Promise<boolean> {
    if (!(await this.#automatic.started(run, { isThere: true }))) return false;
    await this.#queue.run(async () => {
      await this.#pace.enforce(run);
      await this.#lookAtDiscs(run);
    });
    return true;
  }

  #lookAtDiscs(run: EmulatorRun): Promise<void> {
    return this.#discs.look(run, this.#labels);
  }

  get #labels(): readonly string[] {
    return this.#record.current?.discs ?? [];
  }

  #paced(pace: Pace): void {
    this.#record.change({ pace });
    this.#options.paced(pace);
  }

  #died(exit: Exit): void {
    const { unplayable, lost, log, failed, games } = this.#options;
    const { code, signal } = exit;
    const ended = this.#endedRun();
    this.#run?.end.abort();
    this.#hasCrashed = isCrash(exit, ended);
    const refusal = games.refusals?.[code ?? 0];
    if (refusal !== undefined) {
      this.#close();
      void this.#program.stop();
      return unplayable(refusal);
    }
    const isRefused = code === REFUSED && !this.#hasRun && !this.#automatic.hasPlayed;
    const next = isRefused && this.#choices.length === 1 ? 'none' : this.#fallback.ended(exit, ended);
    if (next === 'none') {
      this.#close();
      void this.#program.stop();
      return isRefused
        ? unplayable('The emulator could not start the game.')
        : failed(crashedAll(games, this.#choices));
    }
    if (next === 'next') {
      log.warn('another emulator is tried', { emulator: this.#choice.name });
      this.#record.change({ choice: this.#choice.name });
    }
    // If it ended while there was no agent, nobody knows whether it refused the game.
    this.#hasRun ||= !isRefused && (code !== null || signal !== null);
    lost();
  }

  /** Describes the process that has ended. */
  #endedRun(): EndedRun {
    const { hasPlayed, wentOn } = this.#automatic;
    return { ms: this.#run === undefined ? 0 : performance.now() - this.#run.since, hasPlayed, wentOn };
  }

  get #choice(): Choice {
    return this.#choices[this.#fallback.index] ?? this.#choices[0];
  }

  #newEmulator(isFast = false): Emulator {
    return this.#choice.emulator({ isFast, changed: isFast => this.#record.change({ isFast }) });
  }

  /** Gives a command after the previous ones. @throws CallFailure */
  async #control(act: (run: Run) => Promise<void>): Promise<void> {
    const run = this.#run;
    if (run === undefined || !(await Promise.race([run.begun, sleep(BEGIN_TIMEOUT_MS, false, { ref: false })])))
      throw notPlaying();
    await this.#queue.run(async () => {
      if (this.#isClosed || run.ended.aborted) throw notPlaying();
      await act(run);
    });
  }
}

const notPlaying = () => new CallFailure('not_playing', 'No game is being played yet; try again when it is.');

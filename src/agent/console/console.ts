import type { FromAgent, GameState, LaunchConsole } from '../../protocol/generated/schemas.js';
import type { PadEvent } from '../../protocol/pad.js';
import { bodyOf } from '../link/body.js';
import { CallFailure } from '../link/calls.js';
import { RouteError, type Route } from '../link/routes.js';
import type { SessionProgram, SessionProgramOptions } from '../session/session-program.js';
import type { ConsoleGames } from './console-games.js';
import { Game } from './game.js';
import type { Pace } from './pace.js';
import { Pads } from './pads.js';
import { RomProblem } from './rom/problem.js';
import { consoleContent, SLOTS } from './saves.js';

/** A session's console: its game, its pads, and the service's calls. */
export class Console implements SessionProgram<LaunchConsole> {
  readonly content = consoleContent();
  readonly calls: SessionProgram<LaunchConsole>['calls'] = {
    'console.saveState': slot => this.#game.save(checkedSlot(slot)),
    'console.loadState': slot => this.#game.load(checkedSlot(slot)),
    'console.pause': on => this.#game.pause(on),
    'console.fastForward': on => this.#game.fastForward(on),
    'console.reset': () => this.#game.reset(),
    'console.disc': disc => this.#game.disc(disc),
  };
  readonly #game: Game;
  readonly #pads = new Pads();

  constructor({ display, console }: LaunchConsole, options: SessionProgramOptions, games: ConsoleGames) {
    const { width, height } = display;
    this.#game = new Game({
      ...options,
      games,
      width,
      height,
      maxBytes: console.max_bytes,
      profile: options.beginsWith(console.profile),
      keep: console.profile !== undefined,
      missing: () => options.tell(WANTS),
      paced: pace => options.tell(gameState(pace)),
      discChanged: discs => options.tell(discs),
    });
    options.routes.push({
      method: 'PUT',
      path: '/rom',
      handle: ({ request, response, query }) => this.#insert(request, response, query),
    });
  }

  /** Continues the game of the previous agent; without one, nothing is started before the game arrives. */
  start(): void {
    if (this.#game.isEmpty) return;
    // The links of whoever held something were lost with the previous agent.
    this.unlinked();
    this.#game.start();
  }

  /** What a new link is told: the game's state, its discs, and whether the service must send the game. */
  get current(): FromAgent[] {
    const { pace, discs, isEmpty } = this.#game;
    return [gameState(pace), ...(discs === undefined ? [] : [discs]), ...(isEmpty ? [WANTS] : [])];
  }

  pad(event: PadEvent): void {
    this.#pads.change(event);
  }

  unlinked(): void {
    this.#pads.releaseAll();
  }

  displayLost(): void {
    this.#game.displayLost();
  }

  finish(): Promise<void> {
    return this.#game.finish();
  }

  async stop(): Promise<void> {
    await this.#game.stop();
    this.#pads.stop();
  }

  async #insert(
    request: Parameters<Route['handle']>[0]['request'],
    response: Parameters<Route['handle']>[0]['response'],
    query: URLSearchParams,
  ) {
    try {
      await this.#game.insert(bodyOf(request), query.get('name') ?? '');
    } catch (error) {
      if (error instanceof RomProblem) throw new RouteError(400, 'rom_unplayable', error.message);
      throw error;
    }
    response.writeHead(204).end();
  }
}

const WANTS: FromAgent = { type: 'wants', what: 'rom' };

const gameState = ({ paused, fastForward }: Pace): GameState => ({ type: 'game', paused, fast_forward: fastForward });

function checkedSlot(slot: number): number {
  if (Number.isInteger(slot) && slot >= 0 && slot < SLOTS) return slot;
  throw new CallFailure('invalid_arguments', `The slot must be a whole number from 0 to ${SLOTS - 1}.`);
}

import { open } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Hub } from '../../participants/index.js';
import { type CachedRom, DamagedRom, RomError, type RomLibrary, verified } from '../../games/index.js';
import type { Terminator } from '../terminator.js';
import type { InFlight } from './in-flight.js';
import type { LiveSessions } from '../live-sessions.js';

export interface RomLoaderParts {
  library: RomLibrary;
  hub: Pick<Hub, 'agent' | 'waitsFor'>;
  terminator: Pick<Terminator, 'end'>;
  liveSessions: LiveSessions;
  inFlight: Pick<InFlight, 'landing'>;
  log: Logger;
}

/** Minimum interval between progress messages to viewers, ms. */
const TELL_EVERY_MS = 250;

/** How often a game is sent to an agent that failed to accept it for reasons unrelated to the game. */
const TRIES = 3;
const RETRY_AFTER_MS = 1000;

/** Delivers games to consoles. An agent repeats its request until it has its game. */
export class RomLoader {
  readonly #parts: RomLoaderParts;
  readonly #underWay = new Set<string>();

  constructor(parts: RomLoaderParts) {
    this.#parts = parts;
  }

  /** A session's agent requests its game. */
  wanted(sessionId: string): void {
    const live = this.#parts.liveSessions.get(sessionId);
    const url = live?.session.rom ?? null;
    if (live === undefined || url === null || this.#underWay.has(sessionId)) return;
    this.#underWay.add(sessionId);
    this.#load(sessionId, url, live.gone)
      .catch((error: unknown) => this.#failed(sessionId, error))
      .finally(() => this.#underWay.delete(sessionId));
  }

  async #load(sessionId: string, url: string, gone: AbortSignal): Promise<void> {
    const { library, hub, liveSessions, inFlight, log } = this.#parts;
    const tell = tellingNowAndThen(text => hub.waitsFor(sessionId, text));
    for (let tries = 1; liveSessions.get(sessionId) !== undefined; tries++) {
      const rom = await library.get(url, tell, gone);
      // A start is answered first: a bad game ends the session, but does not fail the start.
      await inFlight.landing(sessionId);
      try {
        return await this.#send(sessionId, rom);
      } catch (error) {
        if (tries === TRIES) throw error;
        log.warn({ err: error, session: sessionId }, 'game not delivered yet');
        if (error instanceof DamagedRom) await library.discard(url);
        else await sleep(RETRY_AFTER_MS);
      }
    }
  }

  async #send(sessionId: string, { path, name, bytes, sha256 }: CachedRom): Promise<void> {
    const file = await open(path);
    try {
      this.#parts.hub.waitsFor(sessionId, 'Starting the game ...');
      const answer = await this.#parts.hub.agent(sessionId).send({
        method: 'PUT',
        path: `/rom?name=${encodeURIComponent(name)}`,
        headers: { 'content-length': String(bytes) },
        body: Readable.from(verified(file.createReadStream({ autoClose: false }), sha256)),
      });
      answer.resume();
      // An unplayable game is reported in the agent's state.
      if (answer.statusCode !== 204 && answer.statusCode !== 400)
        throw new Error(`The agent answered ${answer.statusCode ?? 0}.`);
    } finally {
      await file.close();
    }
  }

  async #failed(sessionId: string, error: unknown): Promise<void> {
    const { liveSessions, inFlight, terminator, log } = this.#parts;
    await inFlight.landing(sessionId);
    if (liveSessions.get(sessionId) === undefined) return;
    log.warn({ err: error, session: sessionId }, 'game not loaded');
    const message = error instanceof RomError ? error.message : 'The game could not be delivered to the session.';
    await terminator
      .end(sessionId, { reason: 'failed', message })
      .catch((cause: unknown) => log.error({ err: cause, session: sessionId }, 'failure not recorded'));
  }
}

/** Reports the progress of a download in words, throttled. */
function tellingNowAndThen(tell: (text: string) => void): (received: number, total: number | null) => void {
  let toldAt = -Infinity;
  return (received, total) => {
    const now = performance.now();
    if (now - toldAt < TELL_EVERY_MS) return;
    // The first report must not delay the second.
    if (received > 0) toldAt = now;
    const share = total === null ? `${(received / 1e6).toFixed(1)} MB` : `${Math.floor((100 * received) / total)} %`;
    tell(`Loading the game: ${share}`);
  };
}

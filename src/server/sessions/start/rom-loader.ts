import { open, type FileHandle } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { kindOf } from '../../model/index.js';
import { type CachedRom, DamagedRom, RomError, type RomLibrary, type Wanted, verified } from '../../games/index.js';
import type { StartProgress } from '../connection.js';
import type { Terminator } from '../terminator.js';
import type { LiveSession } from '../live-session.js';

export interface RomLoaderOptions {
  library: RomLibrary;
  terminator: Pick<Terminator, 'end'>;
  log: Logger;
}

/** Minimum interval between progress messages to viewers, ms. */
const TELL_EVERY_MS = 250;

/** How often a game is sent to an agent that failed to accept it for reasons unrelated to the game. */
const TRIES = 3;
const RETRY_AFTER_MS = 1000;

/** What a session waits for that has been sent what it wants. */
const SENT: Readonly<Record<Wanted, StartProgress>> = {
  game: { step: 'game', message: 'Starting the game…' },
  app: { step: 'app', message: 'The app is being installed and opened.' },
};

/** Pauses before it is sent to an agent that lacks it again though it got it, ms; after that the session is given up. */
const REPEAT_AFTER_MS: readonly number[] = [1000, 5000, 25_000];

/**
 * Delivers games to consoles and apps to Android devices. An agent repeats its request until it has what it wants. One
 * that got it is believed to lack it only after its link was opened anew, since it may have been restarted.
 */
export class RomLoader {
  readonly #options: RomLoaderOptions;
  readonly #repeatAfterMs: readonly number[];

  constructor(options: RomLoaderOptions, repeatAfterMs = REPEAT_AFTER_MS) {
    this.#options = options;
    this.#repeatAfterMs = repeatAfterMs;
  }

  /** A session's agent requests its game or app on that link; the session's first link is 1. */
  wanted(live: LiveSession, link: number): void {
    const { rom, launch } = live.session;
    const { deliveries } = live;
    const { content } = kindOf(launch.kind);
    if (rom === null || content === null) return;
    deliveries.wantedOn = link;
    if (deliveries.isUnderWay || deliveries.wantedOn === deliveries.sentOn) return;
    deliveries.isUnderWay = true;
    this.#deliver(live, rom, content)
      .catch((error: unknown) => this.#failed(live, content, error))
      .finally(() => (deliveries.isUnderWay = false));
  }

  async #deliver(live: LiveSession, url: string, what: Wanted): Promise<void> {
    const { deliveries, gone } = live;
    while (deliveries.wantedOn !== deliveries.sentOn && !gone.aborted) {
      const pauseMs = [0, ...this.#repeatAfterMs][deliveries.count];
      if (pauseMs === undefined) throw new Error(`The agent has got the ${what} ${deliveries.count} times.`);
      if (pauseMs > 0) await sleep(pauseMs, undefined, { signal: gone });
      await this.#load(live, url, what);
      deliveries.count++;
    }
  }

  async #load(live: LiveSession, url: string, what: Wanted): Promise<void> {
    const { library, log } = this.#options;
    const { id, deliveries, gone } = live;
    const tell = tellingNowAndThen(what, progress => live.connection?.waitsFor(progress));
    for (let tries = 1; !gone.aborted; tries++) {
      const rom = await library.get(url, tell, gone, what);
      // A start is answered first: a bad game ends the session, but does not fail the start.
      await live.startSettled;
      deliveries.sentOn = deliveries.wantedOn;
      try {
        return await this.#send(live, rom, what);
      } catch (error) {
        if (tries === TRIES || gone.aborted) throw error;
        log.warn({ err: error, session: id }, `${what} not delivered yet`);
        if (error instanceof DamagedRom) await library.discard(url);
        else await sleep(RETRY_AFTER_MS);
      }
    }
  }

  async #send(live: LiveSession, { path, name, bytes, sha256 }: CachedRom, what: Wanted): Promise<void> {
    const file = await open(path);
    try {
      if (what === 'app') await checkHeader(file);
      live.connection?.waitsFor(SENT[what]);
      const answer = await live.agent.send({
        method: 'PUT',
        path: what === 'game' ? `/rom?name=${encodeURIComponent(name)}` : '/apk',
        headers: { 'content-length': String(bytes) },
        body: Readable.from(verified(file.createReadStream({ autoClose: false }), sha256)),
        signal: live.gone,
      });
      answer.destroy();
      // An unplayable game is reported in the agent's state.
      if (answer.statusCode !== 204 && answer.statusCode !== 400)
        throw new Error(`The agent answered ${answer.statusCode ?? 0}.`);
    } finally {
      await file.close();
    }
  }

  async #failed({ id, gone, startSettled }: LiveSession, what: Wanted, error: unknown): Promise<void> {
    const { terminator, log } = this.#options;
    await startSettled;
    if (gone.aborted) return;
    log.warn({ err: error, session: id }, `${what} not loaded`);
    const message = error instanceof RomError ? error.message : `The ${what} could not be delivered to the session.`;
    await terminator
      .end(id, { reason: 'failed', message, ...(what === 'app' ? { code: 'install_failed' } : {}) })
      .catch((cause: unknown) => log.error({ err: cause, session: id }, 'failure not recorded'));
  }
}

/** The first bytes of a zip archive that is not empty, which every app is. */
const ZIP = Buffer.from('PK\x03\x04', 'latin1');

/** @throws RomError if the file is no app */
async function checkHeader(file: FileHandle): Promise<void> {
  const { buffer } = await file.read({ buffer: Buffer.alloc(ZIP.length), position: 0 });
  if (!buffer.equals(ZIP)) throw new RomError('The file at apk_url is not an app for Android.');
}

/** Reports the progress of a download, throttled. */
function tellingNowAndThen(
  what: Wanted,
  tell: (progress: StartProgress) => void,
): (received: number, total: number | null) => void {
  let toldAt = -Infinity;
  return (received, total) => {
    const now = performance.now();
    if (now - toldAt < TELL_EVERY_MS) return;
    // The first report must not delay the second.
    if (received > 0) toldAt = now;
    const share = total === null ? `${(received / 1e6).toFixed(1)} MB` : `${Math.floor((100 * received) / total)} %`;
    const loaded = { received, ...(total === null ? {} : { total }) };
    tell({ step: `${what}_load`, message: `Loading the ${what}: ${share}`, loaded });
  };
}

import type { Logger } from 'pino';
import { clock } from '../../lib/clock.js';
import type { LiveSession } from '../live-session.js';
import type { LiveSessions } from '../live-sessions.js';
import type { Terminator } from '../terminator.js';

export interface DepartureOptions {
  terminator: Terminator;
  liveSessions: LiveSessions;
  log: Logger;
}

/** Of the time that is left, the part which is kept for saving the profile; at most so long, ms. */
const KEPT_FOR_SAVING = { part: 0.5, ms: 30_000 };

/** Where no time is left, the container's end is waited for so long, ms: the engine knows better why. */
const NO_TIME_MS = 2000;

/** The longest that a timer can wait, ms. */
const MAX_DELAY_MS = 2 ** 31 - 1;

const WHY = 'The machine that the session ran on is being taken out of service.';

/** Ends sessions whose containers an engine will end by itself: viewers are warned, and the profile is saved before. */
export class Departures {
  readonly #options: DepartureOptions;

  constructor(options: DepartureOptions) {
    this.#options = options;
  }

  /**
   * `until`: when the container ends at the latest, UTC milliseconds by the machine's clock, which is set as that of the
   * engine, not by the service's. Told again of the same session does nothing.
   */
  leaving(sessionId: string, until: number): void {
    const { liveSessions, log } = this.#options;
    const live = liveSessions.get(sessionId);
    if (live?.session.state.type !== 'running' || live.departureTimer !== undefined) return;
    const left = Math.min(Math.max(0, until - Date.now()), MAX_DELAY_MS);
    const delay = left === 0 ? NO_TIME_MS : left - Math.min(left * KEPT_FOR_SAVING.part, KEPT_FOR_SAVING.ms);
    log.info({ session: sessionId, ends_in_ms: Math.round(delay) }, "the engine ends the session's container");
    live.connection?.room.warn({
      type: 'warning',
      timeout: 'absolute',
      delay_ms: delay,
      close_date: new Date(clock.now() + delay).toISOString(),
    });
    live.departureTimer = setTimeout(() => void this.#end(live), delay);
  }

  stop(): void {
    for (const { departureTimer } of this.#options.liveSessions.all()) clearTimeout(departureTimer);
  }

  async #end({ id }: LiveSession): Promise<void> {
    try {
      await this.#options.terminator.end(id, { reason: 'crashed', message: WHY });
    } catch (error) {
      this.#options.log.error({ err: error, session: id }, 'departure not recorded');
    }
  }
}

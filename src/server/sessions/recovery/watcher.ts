import type { Logger } from 'pino';
import type { Exit, Fleet, FleetMember } from '../../engines/index.js';
import type { Terminator } from '../terminator.js';
import { diedAt, messageOf } from './crash.js';
import { StartError } from '../../model/index.js';
import type { LiveSessions } from '../live-sessions.js';
import type { Departures } from './departures.js';
import type { Reconciler } from './reconciler.js';
import type { WarmPool } from '../start/warm-pool.js';
import { clock } from '../../lib/clock.js';
import { SerialQueue } from '../../../lib/serial-queue.js';

/** Catches what events can miss, such as a container created by an aborted call. */
const RECONCILE_INTERVAL_MS = 30_000;

export interface WatcherOptions {
  fleet: Fleet;
  terminator: Terminator;
  reconciler: Reconciler;
  liveSessions: LiveSessions;
  warmPool: WarmPool;
  departures: Departures;
  log: Logger;
}

/** Follows the engines: when a container ends, so does its session; everything is reconciled after each connection. */
export class FleetWatcher {
  readonly #options: WatcherOptions;
  readonly #comparing = new Map<FleetMember, SerialQueue>();
  #watches: { stop(): void }[] = [];
  #timer: NodeJS.Timeout | undefined;

  constructor(options: WatcherOptions) {
    this.#options = options;
  }

  start(): void {
    const { fleet, warmPool, departures, log } = this.#options;
    this.#watches = fleet.members.map(member =>
      member.engine.watch({
        connected: () => {
          log.info({ engine: member.name }, 'engine connected');
          void this.#compare(member);
        },
        disconnected: error => {
          warmPool.lost(member);
          log.warn({ engine: member.name, reason: error.message }, 'engine disconnected');
        },
        exited: (sessionId, exit) => void this.#exited(sessionId, exit),
        leaving: (sessionId, until) => {
          if (!warmPool.gone(sessionId)) departures.leaving(sessionId, until);
        },
        restored: () => log.warn({ engine: member.name }, 'network rules were missing and have been restored'),
        exposed: error =>
          log.error({ err: error, engine: member.name }, 'network rules cannot be enforced; no sessions start'),
      }),
    );
    this.#timer = setInterval(() => fleet.members.forEach(member => void this.#compare(member)), RECONCILE_INTERVAL_MS);
  }

  stop(): void {
    clearInterval(this.#timer);
    for (const watch of this.#watches) watch.stop();
    this.#options.departures.stop();
    this.#options.reconciler.stop();
  }

  /** Runs after the reconciliation in progress: two at once would resume a session twice. */
  async #compare(member: FleetMember): Promise<void> {
    const { reconciler, warmPool, log } = this.#options;
    const comparing = this.#comparing.get(member) ?? new SerialQueue();
    this.#comparing.set(member, comparing);
    try {
      await comparing.run(() => reconciler.reconcile(member));
      void warmPool.fill(member);
    } catch (error) {
      log.warn({ err: error, engine: member.name }, 'sessions not reconciled');
    }
  }

  async #exited(sessionId: string, exit: Exit): Promise<void> {
    const { warmPool, liveSessions, terminator, log } = this.#options;
    if (warmPool.gone(sessionId)) return;
    const message = messageOf(exit);
    const live = liveSessions.get(sessionId);
    if (live?.isStarting === true) return live.abort(new StartError('start_failed', message));
    try {
      const at = diedAt(exit, live?.heardAt ?? null, clock.now());
      await terminator.end(sessionId, { reason: 'crashed', message, at });
    } catch (error) {
      log.error({ err: error, session: sessionId }, 'crash not recorded');
    }
  }
}

import type { Logger } from 'pino';
import { AgentRefusal } from '../../agent-link/index.js';
import { type Endpoint, EngineError, type FleetMember, type FoundContainer } from '../../engines/index.js';
import type { SessionStore } from '../../store/index.js';
import type { Terminator } from '../terminator.js';
import { restartClaim } from '../start/claims.js';
import { endingOf } from './crash.js';
import { closeWarning } from '../timeouts/events.js';
import type { Connector } from '../connector.js';
import type { LiveSessions } from '../live-sessions.js';
import type { Session, Tokens } from '../../model/index.js';
import { isLeftOver, isOurs, ownersOf } from './ownership.js';
import type { WarmPool } from '../start/warm-pool.js';
import { clock } from '../../lib/clock.js';

export interface ReconcilerOptions {
  store: SessionStore;
  connector: Connector;
  terminator: Terminator;
  liveSessions: LiveSessions;
  warmPool: WarmPool;
  tokens: Tokens;
  /** Identity of the store. */
  storeId: string;
  replica: string;
  log: Logger;
}

/** How long the agent of a running container may take to answer. */
const CONNECT_TIMEOUT_MS = 20_000;

/** Reconciles the store with an engine: resumes what both know, ends what only one knows. */
export class Reconciler {
  readonly #options: ReconcilerOptions;
  /** Engines and stores whose containers were already reported. */
  readonly #told = new Set<string>();
  #stopped = false;

  constructor(options: ReconcilerOptions) {
    this.#options = options;
  }

  /** From now on an aborted link says nothing about its session. */
  stop(): void {
    this.#stopped = true;
  }

  /** @throws EngineError if the engine cannot be queried; nothing is ended then */
  async reconcile({ engine, regions, name }: FleetMember): Promise<void> {
    // Rows first: a row is written before its container is created, so no live one can be missed.
    const { store, terminator, replica } = this.#options;
    if (this.#stopped) return;
    const served = ({ region }: Session) => regions.includes(region);
    const owned = (await store.owned(replica)).filter(served);
    // The store is being closed by now: it would not answer.
    if (this.#stopped) return;
    const unsaved = (await store.unsaved(replica)).filter(served);
    const containers = new Map((await this.#ours(engine, name)).map(found => [found.sessionId, found]));
    if (this.#stopped) return;
    // Not awaited: saving takes time.
    for (const session of unsaved) void terminator.clear(session);
    await Promise.all([
      ...owned.map(session => this.#resume(session, containers.get(session.id), engine)),
      ...[...containers.values()].map(found => this.#sweep(found, engine, served)),
    ]);
  }

  /** Leaves out containers of other stores, and logs once whose they are. */
  async #ours(engine: FleetMember['engine'], name: string): Promise<FoundContainer[]> {
    const { store, storeId, replica, log } = this.#options;
    const knows = async (sessionId: string) => (await store.find(sessionId)) !== null;
    const [ours, others]: [FoundContainer[], FoundContainer[]] = [[], []];
    const all = await engine.list();
    if (this.#stopped) return [];
    for (const found of all) ((await isOurs(found, { store: storeId, replica, knows })) ? ours : others).push(found);
    const strangers = ownersOf(others.filter(found => !this.#told.has(ownerKey(name, found))));
    for (const found of others) this.#told.add(ownerKey(name, found));
    if (Object.keys(strangers).length > 0) {
      log.warn(
        { engine: name, containersByStore: strangers },
        'another service with the same BERTH_INSTANCE has containers on this engine, which are left untouched; ' +
          'give each service its own instance',
      );
    }
    return ours;
  }

  async #resume(session: Session, listed: FoundContainer | undefined, engine: FleetMember['engine']): Promise<void> {
    const { terminator, liveSessions } = this.#options;
    const served = () => liveSessions.get(session.id);
    if (served()?.isStarting === true) return;
    if (session.state.type === 'starting') {
      // Started meanwhile: the row was read before the engine was queried.
      if (served() !== undefined) return;
      await terminator.end(session.id, {
        reason: 'failed',
        message: 'The service was restarted while the session started.',
      });
      return;
    }
    // A list may be older than the container; nothing ends before the engine was asked for it by name.
    const container = listed ?? (await engine.find(session.id));
    const live = served();
    if (this.#stopped || live?.isStarting === true) return;
    const endpoint = container?.endpoint ?? null;
    if (endpoint === null) {
      const newest = live?.session ?? session;
      const heardAt = live?.heardAt ?? session.seenAt;
      await terminator.end(session.id, endingOf({ ...newest, seenAt: heardAt }, container?.exit, clock.now()));
      return;
    }
    if (live !== undefined) return;
    // Not awaited: a hanging agent must not delay the others.
    void this.#serve(session, endpoint);
  }

  async #serve(session: Session, endpoint: Endpoint): Promise<void> {
    const { connector, terminator, liveSessions, tokens, log } = this.#options;
    const { id: sessionId, warned } = session;
    const live = liveSessions.add(restartClaim(session, clock.now()));
    try {
      const secret = tokens.of(session, 'link');
      await connector.connect(live, { ...endpoint, secret }, AbortSignal.timeout(CONNECT_TIMEOUT_MS));
      if (warned !== null)
        live.connection?.room.warn(closeWarning({ type: warned.type, at: warned.deadline }, clock.now()));
      log.info({ session: sessionId }, 'session resumed');
    } catch (error) {
      if (this.#stopped || live.gone.aborted) return;
      log.warn({ err: error, session: sessionId }, 'session not resumed');
      await terminator
        .end(sessionId, { reason: 'crashed', message: error instanceof AgentRefusal ? error.message : SILENT })
        .catch((cause: unknown) => log.error({ err: cause, session: sessionId }, 'crash not recorded'));
    }
  }

  /** Removes the container of an ended session, or of one that the store does not know. */
  async #sweep(
    { sessionId, warm }: FoundContainer,
    engine: FleetMember['engine'],
    served: (session: Session) => boolean,
  ): Promise<void> {
    const { warmPool, liveSessions, terminator, store, replica } = this.#options;
    if (warmPool.has(sessionId) || liveSessions.get(sessionId)?.isStarting === true) return;
    const session = await store.find(sessionId);
    if (session !== null && (session.state.type !== 'ended' || session.profile.pending !== null)) return;
    // Not awaited: its device may have to be cleaned first.
    if (session !== null && served(session)) return void terminator.clear(session);
    if (session === null && warm !== undefined && warm.by !== replica && !isLeftOver(warm.at)) return;
    try {
      await engine.stop(sessionId);
      this.#options.log.info({ session: sessionId }, 'container without a session removed');
    } catch (error) {
      if (!(error instanceof EngineError)) throw error;
      this.#options.log.warn({ err: error, session: sessionId }, 'container without a session not removed');
    }
  }
}

const SILENT = "The session's agent does not answer.";

const ownerKey = (engine: string, { store }: FoundContainer) => `${engine} ${store ?? ''}`;

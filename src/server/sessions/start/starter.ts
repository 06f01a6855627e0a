import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { withDeadline } from '../../lib/deadline.js';
import { type Endpoint, type Engine, EngineError, type EngineFailure, type Fleet } from '../../engines/index.js';
import type { Audit } from '../../audit/index.js';
import { ExtensionError, sendExtension } from '../../extensions/index.js';
import {
  type IdempotencyKey,
  newSessionId,
  type StartSpec,
  ProfileError,
  kindOf,
  type Session,
  type SessionTokens,
  StartError,
  type StartFailure,
  type Tokens,
} from '../../model/index.js';
import type { Profiles } from '../../profiles/index.js';
import { LEASE_MS, type Store, StoreError } from '../../store/index.js';
import type { Terminator } from '../terminator.js';
import { adbOf, type Placement } from './placement.js';
import { CLAIM_MS } from './claims.js';
import { checkProfiles } from '../profile/profile-check.js';
import type { Connector } from '../connector.js';
import type { LiveSession } from '../live-session.js';
import type { LiveSessions } from '../live-sessions.js';
import type { WarmContainer, WarmPool } from './warm-pool.js';
import { clock } from '../../lib/clock.js';

export interface StarterOptions {
  store: Store;
  fleet: Fleet;
  connector: Connector;
  terminator: Terminator;
  liveSessions: LiveSessions;
  warmPool: WarmPool;
  placement: Placement;
  profiles: Profiles;
  tokens: Tokens;
  replica: string;
  maxSessions: number;
  startTimeoutMs: number;
  audit: Audit;
  log: Logger;
  /** Called after each start with its duration, milliseconds. */
  started(kind: string, ms: number): void;
}

/** Polling interval for a start carried out by another replica. */
export const FOREIGN_START_POLL_MS = 100;

/** A session that was asked for, and whether it was started for that. */
export interface Started {
  session: Session;
  created: boolean;
}

/** Another start came with the same idempotency key before, and has not failed. */
export class KeyTaken extends Error {
  override readonly name = 'KeyTaken';
}

/** Starts sessions; a failed start is undone completely. */
export class Starter {
  readonly #options: StarterOptions;

  constructor(options: StarterOptions) {
    this.#options = options;
  }

  /**
   * Starts a session, or finds the one with the same tag. Of simultaneous starts with one tag, one starts and the
   * others wait for it; if it fails, the next one tries. `key` is written together with the session.
   * @throws StartError
   * @throws KeyTaken
   */
  async start(spec: StartSpec, key: IdempotencyKey | null): Promise<Started> {
    const { fleet, profiles, store, liveSessions, warmPool, placement, tokens, startTimeoutMs } = this.#options;
    const region = spec.region ?? fleet.defaultRegion;
    const engine = fleet.at(region);
    if (engine === null) throw new StartError('region_unavailable', `No host serves the region ${region}.`);
    const deadline = clock.now() + startTimeoutMs;
    const named = spec.tag === null ? null : await store.sessions.findByTag(spec.tag);
    if (named !== null) checkKind(named, spec);
    else await checkProfiles(spec.profile, kindOf(spec.launch.kind).profile.kind, profiles, store.sessions, deadline);
    while (clock.now() < deadline) {
      const warm = warmPool.take(engine, spec.launch);
      const id = warm?.sessionId ?? newSessionId();
      const live = liveSessions.add(newSession(id, { ...spec, region }, tokens.fresh, clock.now()));
      let isInserted = false;
      try {
        isInserted = await this.#insert(live, { ...spec, region }, key);
        if (isInserted) return { session: await this.#launch(live, spec, engine, warm), created: true };
      } catch (error) {
        // Another start with this tag may have taken the last place.
        const existing = isInserted || spec.tag === null ? null : await this.#sameTag(spec, deadline);
        if (existing === null) throw error;
        return { session: existing, created: false };
      } finally {
        try {
          if (!isInserted) await placement.giveBack(id);
        } finally {
          liveSessions.settleStart(live, isInserted);
          // Another start may take it under the same ID from now on.
          if (!isInserted && warm !== null) this.#giveBack(live, warm);
        }
      }
      const existing = await this.#sameTag(spec, deadline);
      if (existing !== null) return { session: existing, created: false };
    }
    throw new StartError('start_timeout', 'Another start with this tag took too long; try again.');
  }

  /**
   * Writes the row of a session, with its device if it needs one.
   * @returns whether its tag was free
   * @throws StartError
   * @throws KeyTaken
   */
  async #insert(
    live: LiveSession,
    spec: StartSpec & Pick<Session, 'region'>,
    key: IdempotencyKey | null,
  ): Promise<boolean> {
    const { placement, store, tokens, replica, maxSessions } = this.#options;
    const lease = { owner: replica, until: clock.now() + LEASE_MS };
    const launch = await placement.place(spec, live.id, lease, live.gone);
    const session = live.update(newSession(live.id, { ...spec, launch }, tokens.fresh, clock.now()));
    const insertion = await store.sessions.insert(session, lease, maxSessions, placement.limit(launch.kind), key);
    if (insertion === 'key_taken') throw new KeyTaken();
    if (insertion === 'full') throw new StartError('capacity', 'All session slots are in use; try again later.');
    return insertion === 'inserted';
  }

  /** A session that has no row does not need its container. */
  #giveBack({ gone }: LiveSession, warm: WarmContainer): void {
    const { warmPool } = this.#options;
    if (gone.aborted) warmPool.used(warm);
    else warmPool.giveBack(warm);
  }

  /** Hands a warm container over to its session. */
  #handOver(warm: WarmContainer, engine: Engine): void {
    const { warmPool, log } = this.#options;
    warmPool.used(warm);
    // Not awaited: the session does not depend on it.
    warm.endpoint
      .then(() => engine.assigned(warm.sessionId))
      .catch((error: unknown) => log.warn({ err: error, session: warm.sessionId }, 'engine not told of a session'));
  }

  /** The running session with the spec's tag; null if there is none any more. Waits while it starts. */
  async #sameTag(spec: StartSpec, deadline: number): Promise<Session | null> {
    const tag = spec.tag ?? '';
    for (;;) {
      const session = await this.#options.store.sessions.findByTag(tag);
      if (session !== null) checkKind(session, spec);
      if (session === null || session.state.type === 'running') return session;
      if (clock.now() >= deadline) return null;
      await (this.#options.liveSessions.get(session.id)?.startSettled ?? sleep(FOREIGN_START_POLL_MS));
    }
  }

  async #launch(
    live: LiveSession,
    { extension, profile }: StartSpec,
    engine: Engine,
    warm: WarmContainer | null,
  ): Promise<Session> {
    const { store, connector, profiles, tokens, startTimeoutMs, audit } = this.#options;
    const begun = performance.now();
    const signal = withDeadline(startTimeoutMs, live.gone);
    const { id, launch } = live.session;
    try {
      if (warm !== null) this.#handOver(warm, engine);
      const secret = tokens.of(live.session, 'link');
      const endpoint = await (warm === null
        ? engine.start({ sessionId: id, kind: launch.kind, linkSecret: secret, ...adbOf(launch) }, signal)
        : endpointOf(warm, signal));
      await connector.connect(live, { ...endpoint, secret }, signal);
      const { load } = live.session.profile;
      if (load !== null) {
        await profiles.load(load, live.agent, signal);
        audit.record({ event: 'profile.load', result: 'ok', actor: { type: 'service' }, session: id, profile: load });
      }
      if (extension !== null) await sendExtension(extension, live.agent, signal);
      const now = clock.now();
      const claimBy = now + CLAIM_MS;
      if (!(await store.sessions.markRunning({ ...live.session, claimBy }, now)))
        throw new Error('The session was ended while it started.');
      signal.throwIfAborted();
      const running = live.update({ state: { type: 'running' }, readyAt: now, seenAt: now, claimBy });
      this.#options.started(launch.kind, performance.now() - begun);
      return running;
    } catch (error) {
      const failure = startError(error, signal, profile.load?.path);
      await this.#undo(live, engine, failure);
      throw failure;
    }
  }

  /** Undoes a failed start. What is unreachable now is removed later by the reconciler. */
  async #undo(live: LiveSession, engine: Engine, failure: StartError): Promise<void> {
    const { terminator, liveSessions, log } = this.#options;
    const { id } = live;
    log.warn({ session: id, err: failure }, 'session not started');
    const ending = { reason: 'failed' as const, message: failure.message };
    const undone = await Promise.allSettled([
      liveSessions.close(live, ending),
      engine.stop(id),
      terminator.end(id, ending),
    ]);
    for (const step of undone) {
      if (step.status === 'rejected')
        log.warn({ session: id, err: step.reason as unknown }, 'start not completely undone');
    }
  }
}

/** A caller that asks for a console must not get a browser. @throws StartError */
function checkKind(named: Session, { launch, tag }: StartSpec): void {
  const { kind } = named.launch;
  if (kind === launch.kind) return;
  const message = `The tag ${JSON.stringify(tag)} is that of a running session of the kind ${kind}; choose another one.`;
  throw new StartError('tag_in_use', message, undefined, '/tag');
}

/** Waits for a container from the warm pool, which may still be starting. */
async function endpointOf(warm: WarmContainer, signal: AbortSignal): Promise<Endpoint> {
  const abort = () => warm.abandon(signal.reason);
  signal.addEventListener('abort', abort, { once: true });
  try {
    const endpoint = await warm.endpoint;
    signal.throwIfAborted();
    return endpoint;
  } finally {
    signal.removeEventListener('abort', abort);
  }
}

function newSession(
  id: string,
  spec: StartSpec & Pick<Session, 'region'>,
  tokens: SessionTokens,
  now: number,
): Session {
  const { load, save } = spec.profile;
  return {
    id,
    state: { type: 'starting' },
    region: spec.region,
    tag: spec.tag,
    tenantId: spec.tenantId,
    metadata: spec.metadata,
    launch: spec.launch,
    rom: spec.rom,
    defaults: spec.defaults,
    auth: spec.auth,
    tokens,
    createdAt: now,
    countedFrom: now,
    readyAt: null,
    seenAt: null,
    timeouts: spec.timeouts,
    webhook: spec.webhook,
    events: spec.events,
    claimBy: null,
    inputAt: now,
    viewers: 0,
    size: { width: spec.launch.display.width, height: spec.launch.display.height },
    offlineAt: now,
    warned: null,
    announced: {},
    profile: { load: load?.id ?? null, save: save === 'new' ? id : (save?.id ?? null), pending: null },
  };
}

const FAILURE_OF_ENGINE = {
  unavailable: 'engine_unavailable',
  refused: 'start_failed',
  unfit: 'start_failed',
  full: 'capacity',
} as const satisfies Record<EngineFailure, StartFailure>;

/** `path`: the field that names the profile to load. */
function startError(error: unknown, signal: AbortSignal, path = '/profile'): StartError {
  if (error instanceof StartError) return error;
  // More specific than the container's end, which follows when the engine removes it.
  if (error instanceof EngineError) {
    return new StartError(FAILURE_OF_ENGINE[error.failure], error.message, error);
  }
  if (signal.reason instanceof StartError) return signal.reason;
  if (signal.aborted && (signal.reason as Error).name === 'TimeoutError') {
    return new StartError('start_timeout', 'The session did not start in time.', error);
  }
  if (error instanceof ProfileError) {
    return new StartError(`profile_${error.failure}`, error.message, error, path);
  }
  if (error instanceof ExtensionError) return new StartError(error.failure, error.message, error, '/extension');
  if (error instanceof StoreError) {
    return new StartError('store_unavailable', 'The database failed; try again.', error);
  }
  return new StartError(
    'start_failed',
    error instanceof Error ? error.message : 'The session could not be started.',
    error,
  );
}

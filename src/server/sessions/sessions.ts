import type { Logger } from 'pino';
import type { AgentState, SessionState, TimeoutChange } from '../../protocol/generated/schemas.js';
import type { AndroidConfig } from '../config/index.js';
import type { Audit } from '../audit/index.js';
import type { Fleet } from '../engines/index.js';
import { Hub, stateOfSession, type HubOptions } from '../participants/index.js';
import type { Profiles } from '../profiles/index.js';
import type { RomLibrary } from '../games/index.js';
import type { Store } from '../store/index.js';
import type { Outbox } from '../webhooks/index.js';
import { Claims } from './start/claims.js';
import { ActivityTracker } from './timeouts/activity-tracker.js';
import { Terminator } from './terminator.js';
import { TimeoutScheduler } from './timeouts/timeout-scheduler.js';
import { type StartSpec, type Session, StartError, type Tokens } from '../model/index.js';
import { InFlight } from './start/in-flight.js';
import { Departures } from './recovery/departures.js';
import { LastSeen } from './recovery/last-seen.js';
import { Leases } from './recovery/leases.js';
import { Checkpoints } from './profile/checkpoints.js';
import { ProfileSaver } from './profile/profile-saver.js';
import { Reconciler } from './recovery/reconciler.js';
import { Retention } from './retention.js';
import type { ResetHook } from './devices/hook.js';
import { DeviceReturns } from './devices/returns.js';
import { DeviceSigner } from './devices/signer.js';
import { Placement } from './start/placement.js';
import { RomLoader } from './start/rom-loader.js';
import type { LiveSession } from './live-session.js';
import { LiveSessions } from './live-sessions.js';
import { WarmPool } from './start/warm-pool.js';
import { Starter } from './start/starter.js';
import { TokenRenewal, type Renewal } from './token-renewal.js';
import { FleetWatcher } from './recovery/watcher.js';

export interface SessionsOptions {
  store: Store;
  fleet: Fleet;
  outbox: Outbox;
  tokens: Tokens;
  profiles: Profiles;
  profileRetentionDays: number;
  /** Milliseconds between two checkpoints of a running session's profile; 0: none. */
  checkpointMs: number;
  romLibrary: RomLibrary;
  android: AndroidConfig;
  /** The operator's own reset of pool devices; null: there is none. */
  resetHook: ResetHook | null;
  replica: string;
  maxSessions: number;
  /** Containers that each engine keeps warm. */
  warmPool: number;
  /** Whether these start a browser while they wait. */
  warmBrowser: boolean;
  startTimeoutMs: number;
  retentionDays: number;
  hub: Pick<HubOptions, 'metrics' | 'clientIp' | 'webhooks' | 'callers' | 'limits' | 'headerPrefix'>;
  audit: Audit;
  log: Logger;
  /** Called after each successful start with its duration, milliseconds. */
  started(kind: string, ms: number): void;
}

/** The life cycle of all sessions: starts, timeouts, crashes, ends, and recovery from the store. */
export class Sessions {
  readonly hub: Hub;
  /** What timeouts count from. */
  readonly #activity: ActivityTracker;
  readonly #liveSessions = new LiveSessions();
  readonly #inFlight = new InFlight();
  readonly #claims: Claims;
  readonly #profileSaver: ProfileSaver;
  readonly #checkpoints: Checkpoints;
  readonly #devices: DeviceReturns;
  readonly #terminator: Terminator;
  readonly #warmPool: WarmPool;
  readonly #roms: RomLoader;
  readonly #starter: Starter;
  readonly #leases: Leases;
  readonly #lastSeen: LastSeen;
  readonly #timeoutScheduler: TimeoutScheduler;
  readonly #watcher: FleetWatcher;
  readonly #retention: Retention;
  readonly #renewal: TokenRenewal;

  constructor(options: SessionsOptions) {
    const { store, fleet, outbox, tokens, profiles, replica, log } = options;
    const [liveSessions, inFlight] = [this.#liveSessions, this.#inFlight];
    const signer = new DeviceSigner(options.android);
    const served = <T>(sessionId: string, work: (live: LiveSession) => T): T | undefined => {
      const live = liveSessions.get(sessionId);
      return live && work(live);
    };
    this.hub = new Hub({
      ...options.hub,
      log,
      verify: (sessionId, token) => tokens.check(sessionId, token),
      // Called by the hub for viewers with a valid token.
      find: async sessionId => {
        const session = await store.sessions.find(sessionId);
        if (session !== null) this.#claims.claim(sessionId, session);
        return session === null ? 'unknown' : session.state.name === 'ended' ? 'ended' : 'running';
      },
      events: {
        state: (sessionId, state) => this.#state(sessionId, state, log),
        activity: (sessionId, activity) => served(sessionId, live => this.#activity.reported(live, activity)),
        presence: (sessionId, viewers) => served(sessionId, live => this.#activity.presence(live, viewers)),
        wants: (sessionId, link) => served(sessionId, live => this.#roms.wanted(live, link)),
        sign: (sessionId, token) => served(sessionId, live => signer.sign(live, token)),
        defaults: (sessionId, defaults) => store.sessions.saveDefaults(sessionId, defaults),
        acted: event => options.audit.record(event),
      },
    });
    const { hub } = this;
    this.#claims = new Claims(store.sessions, liveSessions, live => this.#activity.saveSoon(live), log);
    const activity = (this.#activity = new ActivityTracker(hub, store.sessions, log));
    const profileSaver = (this.#profileSaver = new ProfileSaver({
      profiles,
      store: store.sessions,
      fleet,
      tokens,
      log,
    }));
    this.#checkpoints = new Checkpoints({
      profiles,
      store: store.sessions,
      hub,
      liveSessions,
      intervalMs: options.checkpointMs,
      log,
    });
    const placement = new Placement(options.android, store);
    this.#devices = new DeviceReturns({
      store,
      fleet,
      android: options.android,
      hook: options.resetHook,
      replica,
      log,
    });
    const terminator = (this.#terminator = new Terminator({
      store,
      fleet,
      hub,
      outbox,
      liveSessions,
      inFlight,
      profileSaver,
      devices: this.#devices,
      replica,
      audit: options.audit,
      log,
    }));
    this.#roms = new RomLoader({ library: options.romLibrary, hub, terminator, inFlight, log });
    const warmPool = (this.#warmPool = new WarmPool({
      size: options.warmPool,
      prepares: options.warmBrowser,
      replica,
      startTimeoutMs: options.startTimeoutMs,
      room: async () => {
        return options.maxSessions - (await store.sessions.places());
      },
      secret: id => tokens.of({ id, tokens: tokens.fresh }, 'link'),
      log,
    }));
    this.#starter = new Starter({ ...options, hub, terminator, liveSessions, inFlight, warmPool, placement });
    this.#renewal = new TokenRenewal({ store: store.sessions, hub, liveSessions, tokens });
    this.#leases = new Leases(store, replica, log);
    this.#lastSeen = new LastSeen({ store: store.sessions, hub, liveSessions, log });
    this.#timeoutScheduler = new TimeoutScheduler({
      store,
      hub,
      outbox,
      terminator,
      activity,
      liveSessions,
      replica,
      log,
    });
    const reconciler = new Reconciler({
      store: store.sessions,
      hub,
      terminator,
      liveSessions,
      inFlight,
      warmPool,
      tokens,
      storeId: store.id,
      replica,
      log,
    });
    const departures = new Departures({ hub, terminator, liveSessions, log });
    this.#watcher = new FleetWatcher({ fleet, hub, terminator, reconciler, inFlight, warmPool, departures, log });
    this.#retention = new Retention({
      store: store.sessions,
      profiles,
      days: options.retentionDays,
      profileDays: options.profileRetentionDays,
      audit: options.audit,
      log,
    });
  }

  /** Resumes the sessions in the store. */
  async run(): Promise<void> {
    await this.#leases.start();
    this.#watcher.start();
    this.#timeoutScheduler.start();
    this.#lastSeen.start();
    this.#checkpoints.start();
    this.#retention.start();
    await this.#devices.start();
  }

  /** Containers of this service that wait for a session. */
  get warmCount(): number {
    return this.#warmPool.count;
  }

  /** Android devices of the pool by state; empty without one. */
  devices(): Promise<Readonly<Record<string, number>>> {
    return this.#devices.census();
  }

  /** Starts a session, or finds the one with the same tag. @throws StartError */
  async start(spec: StartSpec): Promise<{ session: Session; created: boolean }> {
    const started = await this.#starter.start(spec);
    // A timeout may be shorter than the start.
    if (started.created) this.#timeoutScheduler.check(started.session.id);
    return started;
  }

  /** Changes a running session's timeouts. @returns the session; null if it is not served here */
  async changeTimeouts(sessionId: string, change: TimeoutChange): Promise<Session | null> {
    const live = this.#liveSessions.get(sessionId);
    const session = live === undefined ? null : await this.#activity.changeTimeouts(live, change);
    this.#timeoutScheduler.check(sessionId);
    return session;
  }

  /** Resets a session's inactivity timeout, if it is served here. */
  keepAlive(sessionId: string): void {
    const live = this.#liveSessions.get(sessionId);
    if (live !== undefined) this.#activity.keepAlive(live);
  }

  /** Marks a session as claimed: its start was answered, or somebody asked for it. An unclaimed session ends. */
  claim(session: Pick<Session, 'id' | 'claimBy'>): void {
    this.#claims.claim(session.id, session);
  }

  /** Ends a session on request. Idempotent. */
  async end(sessionId: string): Promise<void> {
    await this.#terminator.end(sessionId, { reason: 'request' });
  }

  /** Renews tokens of a running session. @returns the session; null if it is not served here */
  renewTokens(sessionId: string, renewal: Renewal): Promise<Session | null> {
    return this.#renewal.renew(sessionId, renewal);
  }

  /** The state of a running session, by what its agent has reported last. */
  status(session: Session): SessionState['state'] {
    return stateOfSession(this.#liveSessions.get(session.id)?.agent ?? 'starting');
  }

  /** Aborts starts in progress, closes links and viewers, writes pending state; containers keep running. */
  async stop(): Promise<void> {
    this.#retention.stop();
    const devicesLeft = this.#devices.stop();
    this.#watcher.stop();
    this.#leases.stop();
    this.#inFlight.abortAll(new StartError('stopping', 'The service is stopping; try again.'));
    await Promise.all([this.#inFlight.idle(), this.#warmPool.stop(), devicesLeft]);
    this.#timeoutScheduler.stop();
    await Promise.all([this.#lastSeen.stop(), this.#checkpoints.stop(), this.#profileSaver.stop()]);
    await this.hub.stop();
    await this.#activity.stop(this.#liveSessions.all());
  }

  #state(sessionId: string, state: AgentState, log: Logger): void {
    const live = this.#liveSessions.get(sessionId);
    if (live === undefined) return;
    live.agent = state.state;
    if (state.state !== 'failed') return;
    const message = state.message ?? 'The session failed.';
    if (this.#inFlight.has(sessionId)) {
      this.#inFlight.abort(sessionId, new StartError('start_failed', message));
      return;
    }
    this.#terminator
      .end(sessionId, {
        reason: state.cause === 'content' ? 'failed' : 'crashed',
        message,
        ...(state.code === undefined ? {} : { code: state.code }),
      })
      .catch((error: unknown) => log.error({ err: error, session: sessionId }, 'crash not recorded'));
  }
}

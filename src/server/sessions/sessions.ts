import type { Logger } from 'pino';
import type { AgentState, SessionState, TimeoutChange } from '../../protocol/generated/schemas.js';
import type { AndroidConfig } from '../config/index.js';
import type { Audit, AuditEvent } from '../audit/index.js';
import type { Fleet } from '../engines/index.js';
import { type Room, type RoomOptions, type UpgradeOptions, Upgrades } from '../participants/index.js';
import type { Profiles } from '../profiles/index.js';
import type { RomLibrary } from '../games/index.js';
import type { Store } from '../store/index.js';
import type { Outbox } from '../webhooks/index.js';
import { EventUpkeep } from './events/upkeep.js';
import { EventRecorder } from './events/recorder.js';
import { Claims } from './start/claims.js';
import { ActivityTracker } from './timeouts/activity-tracker.js';
import { Terminator } from './terminator.js';
import { TimeoutScheduler } from './timeouts/timeout-scheduler.js';
import { type IdempotencyKey, type StartSpec, type Session, StartError, type Tokens } from '../model/index.js';
import { type Connection, type ConnectionHandlers, stateOfSession } from './connection.js';
import { Connector } from './connector.js';
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
import { type LiveSession, unreachable } from './live-session.js';
import { LiveSessions } from './live-sessions.js';
import { WarmPool } from './start/warm-pool.js';
import { type KeyedStart, KeyedStarts } from './start/keyed-starts.js';
import { Starter } from './start/starter.js';
import { type ErasedTenant, TenantErasure } from './tenant-erasure.js';
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
  /** Time zone of browsers whose start requests specify none; null: UTC. */
  timezone: string | null;
  startTimeoutMs: number;
  retentionDays: number;
  participants: Pick<RoomOptions, 'metrics' | 'webhooks' | 'headerPrefix'> &
    Pick<UpgradeOptions, 'clientIp' | 'callers' | 'limits'>;
  audit: Audit;
  log: Logger;
  /** Called after each successful start with its duration, milliseconds. */
  started(kind: string, ms: number): void;
}

/** How long a viewer waits for a running session that this process has not taken over yet, ms. */
const AWAIT_TIMEOUT_MS = 10_000;

/** The life cycle of all sessions: starts, timeouts, crashes, ends, and recovery from the store. */
export class Sessions {
  readonly #liveSessions = new LiveSessions();
  readonly #log: Logger;
  readonly #upgrades: Upgrades;
  readonly #claims: Claims;
  readonly #activity: ActivityTracker;
  readonly #recorder: EventRecorder;
  readonly #upkeep: EventUpkeep;
  readonly #profileSaver: ProfileSaver;
  readonly #checkpoints: Checkpoints;
  readonly #devices: DeviceReturns;
  readonly #signer: DeviceSigner;
  readonly #terminator: Terminator;
  readonly #roms: RomLoader;
  readonly #warmPool: WarmPool;
  readonly #starts: KeyedStarts;
  readonly #leases: Leases;
  readonly #lastSeen: LastSeen;
  readonly #timeoutScheduler: TimeoutScheduler;
  readonly #watcher: FleetWatcher;
  readonly #retention: Retention;
  readonly #renewal: TokenRenewal;
  readonly #tenants: TenantErasure;

  constructor(options: SessionsOptions) {
    const { store, tokens, replica, log } = options;
    // What each part takes its own from.
    const common = { ...options, liveSessions: this.#liveSessions };
    this.#log = log;
    this.#signer = new DeviceSigner(options.android);
    this.#activity = new ActivityTracker(store.sessions, log);
    this.#recorder = new EventRecorder(store.events, log);
    this.#upkeep = new EventUpkeep(store.events, log);
    this.#claims = new Claims(store.sessions, this.#liveSessions, live => this.#activity.saveSoon(live), log);
    this.#profileSaver = new ProfileSaver({ ...common, store: store.sessions });
    this.#checkpoints = new Checkpoints({ ...common, store: store.sessions, intervalMs: options.checkpointMs });
    this.#devices = new DeviceReturns({ ...common, hook: options.resetHook });
    const terminator = new Terminator({
      ...common,
      profileSaver: this.#profileSaver,
      devices: this.#devices,
      recorder: this.#recorder,
    });
    this.#terminator = terminator;
    this.#roms = new RomLoader({ library: options.romLibrary, terminator, log });
    const warmPool = new WarmPool({
      ...options,
      size: options.warmPool,
      prepares: options.warmBrowser,
      room: async () => options.maxSessions - (await store.sessions.places()),
      secret: id => tokens.of({ id, tokens: tokens.fresh }, 'link'),
    });
    this.#warmPool = warmPool;
    const verify: RoomOptions['verify'] = (sessionId, token) => tokens.check(sessionId, token);
    const participants = {
      ...options.participants,
      log,
      verify,
      acted: (event: AuditEvent) => options.audit.record(event),
    };
    const connector = new Connector({
      ...participants,
      store: store.sessions,
      liveSessions: this.#liveSessions,
      attendance: live => this.#recorder.of(live),
      handlers: live => this.#handlers(live),
    });
    this.#upgrades = new Upgrades({
      ...participants,
      find: sessionId => this.#find(sessionId, store),
      roomOf: async sessionId => (await this.#liveSessions.connection(sessionId, AWAIT_TIMEOUT_MS))?.room,
    });
    const placement = new Placement(options.android, store);
    const starter = new Starter({ ...common, connector, terminator, warmPool, placement });
    this.#starts = new KeyedStarts({ ...common, starter });
    this.#tenants = new TenantErasure({ ...common, terminator });
    this.#renewal = new TokenRenewal({ ...common, store: store.sessions });
    this.#leases = new Leases(store, replica, log);
    this.#lastSeen = new LastSeen({ ...common, store: store.sessions });
    this.#timeoutScheduler = new TimeoutScheduler({ ...common, terminator, activity: this.#activity });
    const departures = new Departures({ ...common, terminator });
    const recovery = { ...common, store: store.sessions, storeId: store.id, connector, terminator, warmPool };
    this.#watcher = new FleetWatcher({ ...recovery, departures, reconciler: new Reconciler(recovery) });
    this.#retention = new Retention({
      ...common,
      store: store.sessions,
      idempotency: store.idempotency,
      days: options.retentionDays,
      profileDays: options.profileRetentionDays,
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
    this.#upkeep.start();
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

  /** Handles a viewer's upgrade request, and refuses all others. */
  upgrade(...request: Parameters<Upgrades['handle']>): void {
    this.#upgrades.handle(...request);
  }

  /** The room of a session; undefined if it is not served here. */
  room(sessionId: string): Room | undefined {
    return this.#liveSessions.get(sessionId)?.connection?.room;
  }

  /** The connection of a session. @throws CallError if it is not served here */
  connection(sessionId: string): Connection {
    const connection = this.#liveSessions.get(sessionId)?.connection ?? null;
    if (connection === null) throw unreachable();
    return connection;
  }

  /**
   * What the start came to that had this idempotency key before; waits while it is under way. Null if there was none, or
   * it failed.
   * @throws StartError if its request was another one, or it takes too long
   */
  startedBefore(key: IdempotencyKey): Promise<KeyedStart | null> {
    return this.#starts.earlier(key);
  }

  /** Starts a session, or finds the one with the same tag, or of a start with the same key. @throws StartError */
  async start(spec: StartSpec, key: IdempotencyKey | null): Promise<KeyedStart> {
    const started = await this.#starts.start(spec, key);
    // A timeout may be shorter than the start.
    if (started.created && !started.repeated) this.#timeoutScheduler.check(started.session.id);
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

  /**
   * Ends the sessions of a tenant, and deletes all that belongs to it; its usage only if asked for.
   * @throws ProfileError if a profile cannot be deleted now
   */
  eraseTenant(tenantId: string, options: { usage: boolean }): Promise<ErasedTenant> {
    return this.#tenants.erase(tenantId, options);
  }

  /** Renews tokens of a running session. @returns the session; null if it is not served here */
  renewTokens(sessionId: string, renewal: Renewal): Promise<Session | null> {
    return this.#renewal.renew(sessionId, renewal);
  }

  /** The state of a running session, by what its agent has reported last. */
  status(session: Session): SessionState['state'] {
    return stateOfSession(this.#liveSessions.get(session.id)?.agentState ?? 'starting');
  }

  /** Aborts starts in progress, closes links and viewers, writes pending state; containers keep running. */
  async stop(): Promise<void> {
    this.#retention.stop();
    const devicesLeft = this.#devices.stop();
    this.#watcher.stop();
    this.#leases.stop();
    const starting = this.#liveSessions.all().filter(live => live.isStarting);
    for (const live of starting) live.abort(new StartError('stopping', 'The service is stopping; try again.'));
    await Promise.all([...starting.map(live => live.startSettled), this.#warmPool.stop(), devicesLeft]);
    this.#timeoutScheduler.stop();
    await Promise.all([this.#lastSeen.stop(), this.#checkpoints.stop(), this.#profileSaver.stop()]);
    await this.#liveSessions.stop();
    await Promise.all([this.#activity.stop(this.#liveSessions.all()), this.#recorder.stop(), this.#upkeep.stop()]);
  }

  /** What the store knows about a session that a viewer with a valid token asks for. */
  async #find(sessionId: string, store: Store): Promise<'unknown' | 'ended' | 'running'> {
    const session = await store.sessions.find(sessionId);
    if (session !== null) this.#claims.claim(sessionId, session);
    return session === null ? 'unknown' : session.state.type === 'ended' ? 'ended' : 'running';
  }

  #handlers(live: LiveSession): ConnectionHandlers {
    return {
      state: state => this.#agentIs(live, state),
      activity: activity => this.#activity.reported(live, activity),
      presence: viewers => this.#activity.presence(live, viewers),
      resized: size => this.#activity.resized(live, size),
      wants: link => this.#roms.wanted(live, link),
      sign: token => this.#signer.sign(live, token),
    };
  }

  #agentIs(live: LiveSession, { state, message = 'The session failed.', cause, code }: AgentState): void {
    live.agentState = state;
    if (state !== 'failed') return;
    if (live.isStarting) return live.abort(new StartError('start_failed', message));
    this.#terminator
      .end(live.id, {
        reason: cause === 'content' ? 'failed' : 'crashed',
        message,
        ...(code === undefined ? {} : { code }),
      })
      .catch((error: unknown) => this.#log.error({ err: error, session: live.id }, 'crash not recorded'));
  }
}

import { type Keyring, ValueCipher } from '../secrets/index.js';
import { type Ending, type Session, splitByDay } from '../model/index.js';
import { closeDatabase, openDatabase, type Database } from './database.js';
import { DeviceStore } from './devices.js';
import { guarded, withoutStatement } from './errors.js';
import { EventStore } from './events.js';
import { IdempotencyStore } from './idempotency.js';
import { OutboxLanes } from './outbox-lanes.js';
import { OutboxStore, type TimeoutItem } from './outbox.js';
import { openReads, type Reads } from './reads.js';
import { ProfileStore } from './profiles.js';
import { reencrypt } from './reencryption.js';
import { RowSecrets } from './row-secrets.js';
import { SessionStore } from './sessions.js';
import { TenantStore } from './tenants.js';
import { UsageStore } from './usage.js';
import type { DatabaseConfig } from '../config/index.js';

/** The webhook event of a session's end; null if none is to be sent. */
export type EventMaker = (session: Session, now: number) => TimeoutItem | null;

/** Everything that survives a crash. */
export class Store {
  /** Identifies this store permanently: random, not secret. */
  readonly id: string;
  readonly sessions: SessionStore;
  readonly usage: UsageStore;
  readonly outbox: OutboxStore;
  readonly events: EventStore;
  readonly profiles: ProfileStore;
  readonly devices: DeviceStore;
  readonly idempotency: IdempotencyStore;
  readonly tenants: TenantStore;
  readonly #database: Database;
  readonly #reads: Reads;

  private constructor(database: Database, reads: Reads, id: string, keyring: Keyring) {
    this.#database = database;
    this.#reads = reads;
    this.id = id;
    this.events = guarded(new EventStore(database, reads, new OutboxLanes(new ValueCipher(keyring))));
    this.sessions = guarded(new SessionStore(database, reads, new RowSecrets(keyring), this.events));
    this.usage = guarded(new UsageStore(reads));
    this.outbox = guarded(new OutboxStore(database, reads, new ValueCipher(keyring)));
    this.idempotency = guarded(new IdempotencyStore(database, reads));
    this.devices = guarded(new DeviceStore(database));
    this.tenants = guarded(new TenantStore(database, this.events, this.devices));
    this.profiles = guarded(new ProfileStore(database, keyring.newest.id));
  }

  /**
   * Opens the store. Secrets in it are encrypted with `keyring`; all its methods reject only with StoreErrors.
   * @throws if the database cannot be opened or was written by a newer version
   */
  static async open(config: DatabaseConfig, keyring: Keyring): Promise<Store> {
    const database = await openDatabase(config);
    try {
      const row = await database<{ id: string }>('identity').first();
      if (row === undefined) throw new Error('the table identity is empty; restore the database from a backup');
      await reencrypt(database, new RowSecrets(keyring), new ValueCipher(keyring));
      return guarded(new Store(database, await openReads(config, database), row.id, keyring));
    } catch (error) {
      await closeDatabase(database);
      throw withoutStatement(error);
    }
  }

  /**
   * Ends a session: its row, its usage, its warnings, the webhook event and those of its life, all or nothing. The end is
   * at `now` unless the ending specifies a time. `owner` saves its profile.
   * @returns the session for the one call that ended it, null for all others
   */
  async end(id: string, ending: Ending, now: number, eventOf: EventMaker, owner?: string): Promise<Session | null> {
    let isSent = false;
    const session = await this.#database.transaction(async trx => {
      const ended = await this.sessions.markEnded(trx, id, ending, now, owner);
      if (ended === null) return null;
      const at = ended.state.type === 'ended' ? ended.state.at : now;
      if (ended.readyAt !== null) {
        const { tenantId, launch } = ended;
        await this.usage.book(trx, tenantId, launch.kind, splitByDay(ended.readyAt, at));
      }
      await this.outbox.removeWarnings(id, trx);
      const event = eventOf(ended, now);
      if (event !== null) await this.outbox.add(event, trx);
      isSent = await this.events.end(trx, ended, ending, at);
      return ended;
    });
    if (session !== null) this.events.added(isSent);
    return session;
  }

  /** How many live sessions have tokens derived from older secrets, and how many profiles are encrypted under one. */
  async underOlderSecrets({ newest, secrets }: Keyring): Promise<{ sessions: number; profiles: number }> {
    const older = secrets.filter(secret => secret !== newest).map(({ id }) => id);
    return { sessions: await this.sessions.countUnder(older), profiles: await this.profiles.countUnderOthers() };
  }

  /**
   * The newest time in what is under way, that is, in sessions that have not ended completely and in webhooks that are
   * not delivered, UTC milliseconds; null: nothing is under way.
   */
  async newestTime(): Promise<number | null> {
    const times = ['created_at', 'ready_at', 'seen_at', 'input_at', 'offline_at', 'ended_at'];
    const sessions: unknown = await this.#database('sessions')
      .where(any => any.whereNull('ended_at').orWhereNotNull('profile_pending'))
      .max(Object.fromEntries(times.map(name => [name, name])))
      .first();
    const webhooks: unknown = await this.#database('outbox').max({ created_at: 'created_at' }).first();
    const found = [sessions, webhooks].flatMap(row =>
      Object.values((row ?? {}) as Record<string, unknown>).filter(value => value !== null),
    );
    return found.length === 0 ? null : Math.max(...found.map(Number));
  }

  /** Whether the database answers. */
  async ping(): Promise<void> {
    await this.#database.raw('select 1');
  }

  async close(): Promise<void> {
    await this.#reads.close();
    await closeDatabase(this.#database);
  }
}

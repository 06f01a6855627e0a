import { liveUsage, splitByDay, type DayUsage } from '../sessions/usage.js';
import type { Ending, Session } from '../sessions/session.js';
import { openDatabase, snapshot, type Database } from './database.js';
import { OutboxStore, type OutboxItem } from './outbox.js';
import { ProfileStore } from './profiles.js';
import { SessionStore } from './sessions.js';
import { UsageStore, type UsageFilter } from './usage.js';
import type { DatabaseConfig } from '../config.js';

/** The event that tells of a session's end; null where nobody is to be told. */
export type EventMaker = (session: Session, now: number) => OutboxItem | null;

/** Everything that survives a crash. */
export class Store {
  /** Tells this store from others, the same for good: random, no secret. */
  readonly id: string;
  readonly sessions: SessionStore;
  readonly usage: UsageStore;
  readonly outbox: OutboxStore;
  readonly profiles: ProfileStore;
  readonly #database: Database;

  private constructor(database: Database, id: string) {
    this.#database = database;
    this.id = id;
    this.sessions = new SessionStore(database);
    this.usage = new UsageStore(database);
    this.outbox = new OutboxStore(database);
    this.profiles = new ProfileStore(database);
  }

  static async open(config: DatabaseConfig): Promise<Store> {
    const database = await openDatabase(config);
    try {
      const row = await database<{ id: string }>('identity').first();
      if (row === undefined) throw new Error('the table identity is empty; restore the database from a backup');
      return new Store(database, row.id);
    } catch (error) {
      await database.destroy();
      throw error;
    }
  }

  /**
   * Ends a session: its row, its usage and the event that tells of it, all or nothing. It ended at `now` unless the
   * ending says when. `owner` saves its profile.
   * @returns the session for the one call that ended it, null for all others
   */
  async end(id: string, ending: Ending, now: number, eventOf: EventMaker, owner?: string): Promise<Session | null> {
    return this.#database.transaction(async trx => {
      const ended = await this.sessions.markEnded(trx, id, ending, now, owner);
      if (ended === null) return null;
      const at = ended.state.name === 'ended' ? ended.state.at : now;
      if (ended.readyAt !== null) await this.usage.book(trx, ended.tenantId, splitByDay(ended.readyAt, at));
      const event = eventOf(ended, now);
      if (event !== null) await this.outbox.add(event, trx);
      return ended;
    });
  }

  /** Running time per UTC day, of ended sessions and, up to `now`, of those that run; each counted once. */
  async usageUntil(now: number, filter: UsageFilter): Promise<DayUsage[]> {
    return snapshot(this.#database, async trx => {
      const booked = await this.usage.read(filter, trx);
      return [...booked, ...liveUsage(await this.sessions.live(trx), filter, now)];
    });
  }

  /** Whether the database answers. */
  async ping(): Promise<void> {
    await this.#database.raw('select 1');
  }

  async close(): Promise<void> {
    await this.#database.destroy();
  }
}

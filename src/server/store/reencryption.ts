import type { ValueCipher } from '../secrets/index.js';
import { clientOf, type Database } from './database.js';
import { reencryptReceiver, type ReceiverColumns } from './outbox-row.js';
import type { RowSecrets, SecretColumns } from './row-secrets.js';

type Columns = SecretColumns & { ended_at: number | null };

/** Rows read at a time. */
const BATCH = 500;

/**
 * Re-encrypts under the newest secret what is encrypted under an older one or, in rows of older versions, not at all,
 * and removes the secrets from the rows of ended sessions. Idempotent.
 */
export async function reencrypt(database: Database, secrets: RowSecrets, cipher: ValueCipher): Promise<void> {
  const wasPlain = (await reencryptSessions(database, secrets, cipher)) + (await reencryptOutbox(database, cipher)) > 0;
  if (!wasPlain || clientOf(database) !== 'sqlite3') return;
  // Otherwise plaintext would remain in free pages and in the journal.
  await database.raw('vacuum');
  await database.raw('pragma wal_checkpoint(truncate)');
}

/** Returns the number of rows of older versions. */
async function reencryptSessions(database: Database, secrets: RowSecrets, cipher: ValueCipher): Promise<number> {
  let plain = 0;
  for (let after = ''; ;) {
    const rows: Columns[] = await database<Columns>('sessions')
      .where('id', '>', after)
      .where(old =>
        old
          .whereNull('tokens')
          .orWhere(live => live.whereNull('ended_at').whereNot('sealed', 'like', `${cipher.newestPrefix}%`)),
      )
      .orderBy('id')
      .limit(BATCH);
    for (const row of rows) {
      if (row.tokens === null) plain++;
      await reencryptSession(database, secrets, row);
    }
    if (rows.length < BATCH) return plain;
    after = rows.at(-1)?.id ?? '';
  }
}

/**
 * Replicas may be at work: a session that ends meanwhile drops its own secrets, and tokens that are renewed stay so,
 * since those of a row that has any are not written.
 */
async function reencryptSession(database: Database, secrets: RowSecrets, row: Columns): Promise<void> {
  const columns = row.ended_at === null ? secrets.renew(row) : secrets.drop(row);
  if (columns === null) return;
  const { id, ended_at, sealed, tokens } = row;
  const found = database<Columns>('sessions').where({ id, ended_at, sealed });
  if (tokens === null) await found.where({ tokens }).update(columns);
  else await found.update({ sealed: columns.sealed });
}

/** Returns the number of rows of older versions. */
async function reencryptOutbox(database: Database, cipher: ValueCipher): Promise<number> {
  const rows: ReceiverColumns[] = await database<ReceiverColumns>('outbox')
    .whereNull('sealed')
    .orWhereNot('sealed', 'like', `${cipher.newestPrefix}%`)
    .orWhere({ origin: '' })
    .select('id', 'sealed', 'url', 'bearer', 'origin');
  for (const row of rows) {
    const columns = reencryptReceiver(row, cipher);
    if (columns !== null) await database<ReceiverColumns>('outbox').where({ id: row.id }).update(columns);
  }
  return rows.filter(({ sealed }) => sealed === null).length;
}

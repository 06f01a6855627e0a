import { createHash } from 'node:crypto';
import type { ValueCipher } from '../secrets/index.js';

/** 132 bits. */
const HASH_LENGTH = 22;

/** The columns of an item that hold its receiver. */
export interface ReceiverColumns {
  id: string;
  /** Address, bearer and secret, encrypted; null in rows of older versions. */
  sealed: string | null;
  /** Empty if they are encrypted. */
  url: string;
  bearer: string | null;
  /** A hash; empty in rows of older versions. */
  origin: string;
}

/** A row of the table `outbox`; times are UTC milliseconds. */
export interface OutboxRow extends ReceiverColumns {
  session_id: string;
  event: 'warning' | 'timeout' | 'lifecycle';
  body: string;
  created_at: number;
  next_at: number;
  attempts: number;
  /** The order of a session's lifecycle; null: not in it yet, or of another kind. */
  seq: number | null;
}

interface Receiver {
  url: string;
  bearer: string | null;
  secret: string | null;
}

const placeOf = (id: string) => `outbox/${id}/sealed`;

/** The columns that hold a receiver. */
export function encryptReceiver(
  { id, url, bearer, secret }: Receiver & { id: string },
  cipher: ValueCipher,
): ReceiverColumns {
  const sealed = cipher.encrypt(JSON.stringify({ url, bearer, secret } satisfies Receiver), placeOf(id));
  return { id, sealed, url: '', bearer: null, origin: hashOf(new URL(url).origin) };
}

const hashOf = (origin: string) => createHash('sha256').update(origin).digest('base64url').slice(0, HASH_LENGTH);

/** The receiver; without an address if the secret it was encrypted under was removed. */
export function decryptReceiver(
  { id, sealed, url, bearer }: Omit<ReceiverColumns, 'origin'>,
  cipher: ValueCipher,
): Receiver {
  const opened = sealed === null ? null : cipher.decrypt(sealed, placeOf(id));
  // Older versions had no webhook secrets.
  return { url, bearer, secret: null, ...(opened === null ? {} : (JSON.parse(opened) as Partial<Receiver>)) };
}

/** The columns to be stored; null if they are up to date, or cannot be decrypted. */
export function reencryptReceiver(row: ReceiverColumns, cipher: ValueCipher): ReceiverColumns | null {
  if (row.sealed?.startsWith(cipher.newestPrefix) && row.origin !== '') return null;
  const receiver = decryptReceiver(row, cipher);
  return receiver.url === '' ? null : encryptReceiver({ id: row.id, ...receiver }, cipher);
}

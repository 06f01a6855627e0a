import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { ProfileError } from '../model/index.js';

/**
 * An encrypted profile: a header of `magic 6, version u8, reserved u8, salt 32`, then segments of AES-256-GCM, each
 * with its tag. The nonce counts the segments and marks the last one, so that removing, repeating, moving or truncating
 * segments is detected; the header is authenticated with each.
 */
const MAGIC = Buffer.from('BERTHP');
const VERSION = 1;
const SALT_AT = MAGIC.length + 2;
const SALT_BYTES = 32;
const HEADER_BYTES = SALT_AT + SALT_BYTES;
const TAG_BYTES = 16;
const ALGORITHM = 'aes-256-gcm';

/** Plaintext bytes per segment; only the last one has fewer. */
export const SEGMENT_BYTES = 64 * 1024;

/** Encrypts a profile with a key that is unique to this profile and this write. */
export async function* seal(
  plain: AsyncIterable<Buffer>,
  secret: string,
  profileId: string,
): AsyncGenerator<Buffer, void, void> {
  const header = Buffer.concat([MAGIC, Buffer.from([VERSION, 0]), randomBytes(SALT_BYTES)]);
  const key = keyOf(secret, profileId, header);
  yield header;
  let index = 0;
  for await (const { bytes, last } of segments(plain, SEGMENT_BYTES)) {
    const cipher = createCipheriv(ALGORITHM, key, nonce(index++, last)).setAAD(header);
    yield cipher.update(bytes);
    cipher.final();
    yield cipher.getAuthTag();
  }
}

/** Decrypts a profile encrypted under any of the secrets; emits only authenticated data. @throws ProfileError */
export async function* unseal(
  sealed: AsyncIterable<Buffer>,
  secrets: readonly string[],
  profileId: string,
): AsyncGenerator<Buffer, void, void> {
  const source = sealed[Symbol.asyncIterator]();
  try {
    const { header, rest } = await readHeader(source);
    let keys = secrets.map(secret => keyOf(secret, profileId, header));
    let index = 0;
    for await (const { bytes, last } of segments(chain(rest, source), SEGMENT_BYTES + TAG_BYTES)) {
      const { plain, key } = openWithAny(bytes, keys, nonce(index++, last), header);
      keys = [key];
      yield plain;
    }
  } finally {
    await source.return?.();
  }
}

/** Decrypts a segment with the first key that fits. @throws ProfileError */
function openWithAny(
  segment: Buffer,
  keys: readonly Buffer[],
  iv: Buffer,
  header: Buffer,
): { plain: Buffer; key: Buffer } {
  let failure: unknown = damaged();
  for (const key of keys) {
    try {
      return { plain: open(segment, key, iv, header), key };
    } catch (error) {
      failure = error;
    }
  }
  throw failure;
}

function open(segment: Buffer, key: Buffer, iv: Buffer, header: Buffer): Buffer {
  const end = segment.length - TAG_BYTES;
  if (end < 0) throw damaged();
  const decipher = createDecipheriv(ALGORITHM, key, iv, { authTagLength: TAG_BYTES }).setAAD(header);
  decipher.setAuthTag(segment.subarray(end));
  const plain = decipher.update(segment.subarray(0, end));
  try {
    decipher.final();
  } catch (error) {
    throw damaged(error);
  }
  return plain;
}

function keyOf(secret: string, profileId: string, header: Buffer): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, header.subarray(SALT_AT), `berth/profile/${profileId}`, 32));
}

/** 7 zero bytes, the segment's number, whether it is the last. */
function nonce(index: number, last: boolean): Buffer {
  const bytes = Buffer.alloc(12);
  bytes.writeUInt32BE(index, 7);
  bytes[11] = last ? 1 : 0;
  return bytes;
}

async function readHeader(source: AsyncIterator<Buffer>): Promise<{ header: Buffer; rest: Buffer }> {
  let read = Buffer.alloc(0);
  while (read.length < HEADER_BYTES) {
    const next = await source.next();
    if (next.done) throw damaged();
    read = Buffer.concat([read, next.value]);
  }
  const header = read.subarray(0, HEADER_BYTES);
  if (!header.subarray(0, MAGIC.length).equals(MAGIC)) throw damaged();
  if (header[MAGIC.length] !== VERSION)
    throw new ProfileError('damaged', 'The profile was saved by a newer version of the service.');
  return { header, rest: read.subarray(HEADER_BYTES) };
}

async function* chain(first: Buffer, others: AsyncIterator<Buffer>): AsyncGenerator<Buffer, void, void> {
  yield first;
  for (let next = await others.next(); !next.done; next = await others.next()) yield next.value;
}

/**
 * Splits a stream into pieces of `size` bytes; the last one, of 0 to `size` bytes, is marked. A piece is valid until
 * the next one is requested.
 */
async function* segments(
  source: AsyncIterable<Buffer>,
  size: number,
): AsyncGenerator<{ bytes: Buffer; last: boolean }, void, void> {
  const piece = Buffer.allocUnsafe(size);
  let filled = 0;
  for await (const chunk of source) {
    for (let at = 0; at < chunk.length;) {
      // Only now that more data follows, a full piece is known not to be the last.
      if (filled === size) {
        yield { bytes: piece, last: false };
        filled = 0;
      }
      const copied = chunk.copy(piece, filled, at);
      filled += copied;
      at += copied;
    }
  }
  yield { bytes: piece.subarray(0, filled), last: true };
}

function damaged(cause?: unknown): ProfileError {
  return new ProfileError('damaged', 'The saved profile is damaged, or was saved under another secret.', cause);
}

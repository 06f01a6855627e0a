import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { seal, unseal } from './cipher.js';
import { ProfileError } from '../model/index.js';
import type { Keyring } from '../secrets/index.js';
import type { Storage } from './storage.js';

const UNREACHABLE = 'The kept profiles cannot be reached; try again later.';

export interface Writing {
  signal: AbortSignal;
  /** Called once everything is written, before it replaces the stored profile; throws to prevent that. */
  confirm?: () => Promise<void>;
  /** Called with the number of bytes of each piece that has come, before compression. */
  received?: (bytes: number) => void;
  /** Largest profile accepted, before compression; default is the store's own. */
  maxBytes?: number;
}

/** Stores profiles, compressed and encrypted. Memory use is a few megabytes whatever their size. */
export class EncryptedStore {
  readonly #storage: Storage;
  readonly #keyring: Keyring;
  readonly #maxBytes: number;

  /**
   * Profiles are encrypted under the newest secret and decrypted with any. `maxBytes`: largest profile accepted, before
   * compression.
   */
  constructor(storage: Storage, keyring: Keyring, maxBytes: number) {
    this.#storage = storage;
    this.#keyring = keyring;
    this.#maxBytes = maxBytes;
  }

  /** Replaces a stored profile atomically. Returns the bytes stored. @throws ProfileError */
  async write(id: string, content: Readable, writing: Writing): Promise<number> {
    const { signal, confirm, received, maxBytes = this.#maxBytes } = writing;
    let stored: Promise<number> | undefined;
    try {
      return await pipeline(
        content,
        limited(maxBytes, received),
        createGzip({ level: 1 }),
        source => confirmed(seal(source as AsyncIterable<Buffer>, this.#keyring.newest.value, id), confirm),
        source => (stored = this.#storage.write(id, source, signal)),
        { signal },
      );
    } catch (error) {
      // An aborted pipeline does not wait until the storage has removed what it wrote.
      await stored?.catch(() => {});
      throw asProfileError(error, 'The profile could not be saved.');
    }
  }

  /** Reads a stored profile; the stream fails with a ProfileError if it is damaged. @throws ProfileError */
  async read(id: string): Promise<Readable> {
    const sealed = await this.#storage.read(id).catch((error: unknown) => {
      throw asProfileError(error, UNREACHABLE);
    });
    if (sealed === null) throw new ProfileError('not_found', 'There is no profile with this ID.');
    const plain = createGunzip();
    const secrets = this.#keyring.secrets.map(({ value }) => value);
    // A failure destroys `plain` as well.
    pipeline(sealed, source => unseal(source as AsyncIterable<Buffer>, secrets, id), plain).catch(() => {});
    return Readable.from(reached(plain), { objectMode: false }).once('close', () => plain.destroy());
  }

  async remove(id: string): Promise<void> {
    await this.#storage.remove(id);
  }

  async tidy(): Promise<void> {
    await this.#storage.tidy();
  }
}

/** A failure to read counts as unreachable, as a failure to open does. */
async function* reached(content: Readable) {
  try {
    yield* content;
  } catch (error) {
    throw asProfileError(error, UNREACHABLE);
  }
}

async function* confirmed(content: AsyncIterable<Buffer>, confirm: (() => Promise<void>) | undefined) {
  yield* content;
  await confirm?.();
}

function limited(maxBytes: number, received: Writing['received']): Transform {
  let bytes = 0;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length;
      received?.(chunk.length);
      if (bytes <= maxBytes) done(null, chunk);
      else done(new ProfileError('too_large', `The profile is larger than ${maxBytes} bytes.`));
    },
  });
}

function asProfileError(error: unknown, message: string): unknown {
  if (error instanceof ProfileError || (error as Error).name === 'AbortError') return error;
  return new ProfileError('unavailable', message, error);
}

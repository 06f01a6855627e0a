import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import type { Keyring, Secret } from './keyring.js';

const ALGORITHM = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Encrypts values for the store with AES-256-GCM, under a key that HKDF-SHA256 derives from a secret of the service.
 * The result is `<id of the secret>.<base64url of nonce, ciphertext and tag>` and can be decrypted only for the row and
 * column it was encrypted for.
 */
export class ValueCipher {
  readonly #keyring: Keyring;
  readonly #keys: ReadonlyMap<string, Buffer>;

  constructor(keyring: Keyring) {
    this.#keyring = keyring;
    this.#keys = new Map(keyring.secrets.map(secret => [secret.id, keyOf(secret)]));
  }

  /** Prefix of everything encrypted under the newest secret. */
  get newestPrefix(): string {
    return `${this.#keyring.newest.id}.`;
  }

  /** Encrypts a text under the newest secret. */
  encrypt(text: string, place: string): string {
    const nonce = randomBytes(NONCE_BYTES);
    const key = this.#keys.get(this.#keyring.newest.id) as Buffer;
    const cipher = createCipheriv(ALGORITHM, key, nonce).setAAD(Buffer.from(place));
    const bytes = Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
    return this.newestPrefix + bytes.toString('base64url');
  }

  /** Decrypts a text; null if its secret was removed, or it was modified, or encrypted for another place. */
  decrypt(sealed: string, place: string): string | null {
    const [id = '', content = ''] = sealed.split('.');
    const key = this.#keys.get(id);
    const bytes = Buffer.from(content, 'base64url');
    if (key === undefined || bytes.length < NONCE_BYTES + TAG_BYTES) return null;
    const nonce = bytes.subarray(0, NONCE_BYTES);
    const decipher = createDecipheriv(ALGORITHM, key, nonce, { authTagLength: TAG_BYTES }).setAAD(Buffer.from(place));
    decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
    try {
      return decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES), undefined, 'utf8') + decipher.final('utf8');
    } catch {
      return null;
    }
  }
}

function keyOf({ value }: Secret): Buffer {
  return Buffer.from(hkdfSync('sha256', value, '', 'berth/sealed/1', 32));
}

import type { Launch } from '../../protocol/generated/schemas.js';
import { type Keyring, ValueCipher } from '../secrets/index.js';
import { kindOf, type Session, type SessionTokens } from '../model/index.js';

/** The columns of a session that contain secrets, or did before they were encrypted. */
export interface SecretColumns {
  id: string;
  /**
   * Everything that may contain a secret, encrypted; null once the session has ended, and in rows of older versions.
   */
  sealed: string | null;
  /** The inputs of the session's tokens, JSON; null in rows of older versions. */
  tokens: string | null;
  /** The non-secret part of the launch; all of it in rows of older versions. */
  launch: string;
  /** Null: token. */
  auth: string | null;
  // Not null only in rows of older versions.
  rom: string | null;
  webhook_url: string | null;
  webhook_bearer: string | null;
}

type SecretFields = Pick<Session, 'launch' | 'auth' | 'rom' | 'webhook' | 'events'>;
type Opened = SecretFields & Pick<Session, 'tokens'>;

/** A webhook that admits nobody. */
const NOBODY = JSON.stringify({ type: 'webhook', url: '', bearer: null, secret: null } satisfies Session['auth']);

/** Encrypts everything in the rows of sessions that may contain a secret. */
export class RowSecrets {
  readonly #keyring: Keyring;
  readonly #cipher: ValueCipher;

  constructor(keyring: Keyring) {
    this.#keyring = keyring;
    this.#cipher = new ValueCipher(keyring);
  }

  /** The columns of a live session. */
  encrypt(session: Pick<Session, 'id'> & Opened): SecretColumns {
    const { id, tokens, launch, auth, rom, webhook, events } = session;
    const sealed = this.#cipher.encrypt(
      JSON.stringify({ launch, auth, rom, webhook, events } satisfies SecretFields),
      placeOf(id),
    );
    return { id, tokens: JSON.stringify(tokens), ...withoutSecrets(session), sealed };
  }

  /** Decodes the columns; if the session has ended, or its secret was removed, only the non-secret part. */
  decrypt(row: SecretColumns): Opened {
    const sealed = row.sealed === null ? null : this.#cipher.decrypt(row.sealed, placeOf(row.id));
    const fields = sealed === null ? plain(row) : fieldsOf(sealed);
    return { ...fields, tokens: this.tokens(row) };
  }

  /** The inputs of the session's tokens. */
  tokens({ tokens }: Pick<SecretColumns, 'tokens'>): SessionTokens {
    return tokens === null ? this.#oldTokens : (JSON.parse(tokens) as SessionTokens);
  }

  /** The columns of a session that has ended. */
  drop(row: SecretColumns): SecretColumns {
    const opened = this.decrypt(row);
    return { id: row.id, tokens: JSON.stringify(opened.tokens), ...withoutSecrets(opened) };
  }

  /** The columns of a live session to be stored; null if they are up to date, or cannot be decrypted. */
  renew(row: SecretColumns): SecretColumns | null {
    if (row.sealed?.startsWith(this.#cipher.newestPrefix)) return null;
    if (row.sealed !== null && this.#cipher.decrypt(row.sealed, placeOf(row.id)) === null) return null;
    return this.encrypt({ id: row.id, ...this.decrypt(row) });
  }

  get #oldTokens(): SessionTokens {
    const source = { generation: 0, secret: this.#keyring.oldest.id };
    return { embed: source, admin: source, link: source };
  }
}

const placeOf = (id: string) => `sessions/${id}/sealed`;

/** Older versions had no events. */
function fieldsOf(sealed: string): SecretFields {
  const fields = JSON.parse(sealed) as Omit<SecretFields, 'events'> & Partial<SecretFields>;
  return { ...fields, events: fields.events ?? null };
}

function plain({ launch, auth, rom, webhook_url: url, webhook_bearer: bearer }: SecretColumns): SecretFields {
  return {
    launch: JSON.parse(launch) as Launch,
    auth: auth === null ? { type: 'token' } : (JSON.parse(auth) as Session['auth']),
    rom,
    webhook: url === null ? null : { url, bearer, secret: null },
    events: null,
  };
}

function withoutSecrets({ launch, auth }: SecretFields): Omit<SecretColumns, 'id' | 'tokens'> {
  return {
    sealed: null,
    launch: JSON.stringify(kindOf(launch.kind).withoutSecrets(launch)),
    auth: auth.type === 'token' ? null : NOBODY,
    rom: null,
    webhook_url: null,
    webhook_bearer: null,
  };
}

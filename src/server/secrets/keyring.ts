import { createHmac } from 'node:crypto';

/** One of the service's secrets. */
export interface Secret {
  /** Identifies the secret without revealing anything about it: 12 hexadecimal digits, in the store and in the log. */
  readonly id: string;
  readonly value: string;
}

/**
 * The service's secrets: new values are encrypted under the newest, older ones are decrypted with the one they were
 * encrypted under.
 */
export class Keyring {
  /** Newest first. */
  readonly secrets: readonly Secret[];

  constructor(newest: string, ...older: string[]) {
    this.secrets = [newest, ...older].map(value => ({ id: fingerprint(value), value }));
  }

  get newest(): Secret {
    return this.secrets[0] as Secret;
  }

  /** The most likely secret of values from before secrets had IDs. */
  get oldest(): Secret {
    return this.secrets.at(-1) as Secret;
  }

  /** The secret with this ID; undefined if it was removed. */
  find(id: string): Secret | undefined {
    return this.secrets.find(secret => secret.id === id);
  }
}

function fingerprint(value: string): string {
  return createHmac('sha256', value).update('berth/fingerprint').digest('hex').slice(0, 12);
}

import { createHmac } from 'node:crypto';

/** One of the service's secrets. */
export interface Secret {
  /** Tells the secret from others and nothing about it: 12 hexadecimal digits, in the store and in the log. */
  readonly id: string;
  readonly value: string;
}

/** The service's secrets: what is new is made under the newest, what is older is opened with the one it was made under. */
export class Keyring {
  /** The newest first. */
  readonly secrets: readonly Secret[];

  constructor(newest: string, ...older: string[]) {
    this.secrets = [newest, ...older].map(value => ({ id: fingerprint(value), value }));
  }

  get newest(): Secret {
    return this.secrets[0] as Secret;
  }

  /** What was made before secrets had names was most likely made under this one. */
  get oldest(): Secret {
    return this.secrets.at(-1) as Secret;
  }

  /** The secret with this name; undefined where it was taken out. */
  find(id: string): Secret | undefined {
    return this.secrets.find(secret => secret.id === id);
  }
}

function fingerprint(value: string): string {
  return createHmac('sha256', value).update('berth/fingerprint').digest('hex').slice(0, 12);
}

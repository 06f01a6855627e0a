import { createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto';

/** Version of the link's protocol that is spoken here. Version 1 had no proofs, and no answer to a launch. */
export const LINK_VERSION = 2;

/** Address at which an agent proves itself to whoever connects, and header of what it is asked to prove it by. */
export const HELLO_PATH = '/hello';
export const NONCE_HEADER = 'berth-nonce';

const BYTES = 32;
const NONCE = /^[A-Za-z0-9_-]{43}$/;

/** What the two ends of a connection have drawn for it, so that no proof is good for another one. */
export interface Nonces {
  service: string;
  agent: string;
}

/** A random value that is used once, in 43 characters. */
export const newNonce = (): string => randomBytes(BYTES).toString('base64url');

export const isNonce = (text: unknown): text is string => typeof text === 'string' && NONCE.test(text);

/**
 * Proofs that one end of a connection gives the other of knowing the secret of a session's link. The secret itself is
 * never sent, and neither end can give the other's proof without it.
 */
export class LinkProofs {
  readonly #agentKey: Buffer;
  readonly #serviceKey: Buffer;

  constructor(secret: string) {
    this.#agentKey = keyOf(secret, 'agent');
    this.#serviceKey = keyOf(secret, 'service');
  }

  /** What the agent, which speaks that version, answers the service. */
  ofAgent({ service, agent }: Nonces, version: number): string {
    return mac(this.#agentKey, `${version}/${service}/${agent}`);
  }

  /** The value of `Authorization` by which the agent knows the service from then on, on that connection. */
  ofService({ service, agent }: Nonces): string {
    return `Berth ${mac(this.#serviceKey, `${service}/${agent}`)}`;
  }
}

/** Compares proofs in constant time; only the length may show. */
export function sameProof(one: string, other: string): boolean {
  const [left, right] = [Buffer.from(one), Buffer.from(other)];
  return left.length === right.length && timingSafeEqual(left, right);
}

const keyOf = (secret: string, end: string) => Buffer.from(hkdfSync('sha256', secret, '', `berth/link/${end}`, BYTES));

const mac = (key: Buffer, text: string) => createHmac('sha256', key).update(text).digest('base64url');

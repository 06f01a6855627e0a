import { createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto';

/** The current version of the link protocol. Version 1 had no mutual authentication, and no answer to a launch. */
export const LINK_VERSION = 2;

/** Path at which an agent authenticates itself, and header with the service's nonce. */
export const HELLO_PATH = '/hello';
export const NONCE_HEADER = 'berth-nonce';

const BYTES = 32;
const NONCE = /^[A-Za-z0-9_-]{43}$/;

/** The nonces of both ends of a connection, which make a proof valid for that connection only. */
export interface Nonces {
  service: string;
  agent: string;
}

/** A nonce of 43 characters. */
export const newNonce = (): string => randomBytes(BYTES).toString('base64url');

export const isNonce = (text: unknown): text is string => typeof text === 'string' && NONCE.test(text);

/**
 * Proofs that each end of a connection knows the secret of a session's link. The secret itself is never sent, and
 * neither end can produce the other's proof without it.
 */
export class LinkProofs {
  readonly #agentKey: Buffer;
  readonly #serviceKey: Buffer;

  constructor(secret: string) {
    this.#agentKey = keyOf(secret, 'agent');
    this.#serviceKey = keyOf(secret, 'service');
  }

  /** The answer of an agent of that version to the service. */
  ofAgent({ service, agent }: Nonces, version: number): string {
    return mac(this.#agentKey, `${version}/${service}/${agent}`);
  }

  /** The value of `Authorization` that authenticates the service to the agent on that connection from then on. */
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

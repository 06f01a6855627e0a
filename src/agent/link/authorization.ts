import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Hello } from '../../protocol/generated/schemas.js';
import {
  HELLO_PATH,
  isNonce,
  LINK_VERSION,
  LinkProofs,
  newNonce,
  NONCE_HEADER,
  sameProof,
} from '../../protocol/link-proof.js';

/** Tells requests of the service from those of others. */
export interface Authorization {
  isAuthorized(request: IncomingMessage): boolean;
  /** Answers what strangers may ask; false where a request is nothing of that. */
  answers(request: IncomingMessage, response: ServerResponse): boolean;
}

/** `version`: of the link's protocol, as the service that has started the container says; none is version 1. */
export const authorizationOf = (secret: string, version: string | undefined): Authorization =>
  version === undefined ? new BearerAuthorization(secret) : new MutualAuthorization(secret);

/**
 * Both ends prove to each other that they know the secret, for each connection anew: `GET /hello` is answered with the
 * agent's proof, and every other request on the same connection must carry the service's (docs/protocol.md).
 */
export class MutualAuthorization implements Authorization {
  readonly #proofs: LinkProofs;
  readonly #expected = new WeakMap<Socket, string>();

  constructor(secret: string) {
    this.#proofs = new LinkProofs(secret);
  }

  isAuthorized({ socket, headers }: IncomingMessage): boolean {
    const expected = this.#expected.get(socket);
    return expected !== undefined && sameProof(expected, headers.authorization ?? '');
  }

  answers({ method, url, headers, socket }: IncomingMessage, response: ServerResponse): boolean {
    const service = headers[NONCE_HEADER];
    if (method !== 'GET' || url !== HELLO_PATH || !isNonce(service)) return false;
    const nonces = { service, agent: newNonce() };
    this.#expected.set(socket, this.#proofs.ofService(nonces));
    const proof = this.#proofs.ofAgent(nonces, LINK_VERSION);
    const body = JSON.stringify({ version: LINK_VERSION, nonce: nonces.agent, proof } satisfies Hello);
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length }).end(body);
    return true;
  }
}

/** Version 1, of services that have not been restarted since the image was built: the secret is sent as it is. */
class BearerAuthorization implements Authorization {
  readonly #expected: Buffer;

  constructor(secret: string) {
    this.#expected = digest(`Bearer ${secret}`);
  }

  isAuthorized({ headers }: IncomingMessage): boolean {
    return timingSafeEqual(digest(headers.authorization ?? ''), this.#expected);
  }

  answers(): boolean {
    return false;
  }
}

const digest = (text: string) => createHash('sha256').update(text).digest();

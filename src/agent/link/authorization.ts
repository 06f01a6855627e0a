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

/** Distinguishes requests of the service from others. */
export interface Authorization {
  isAuthorized(request: IncomingMessage): boolean;
  /** Answers unauthenticated requests; returns false if the request is not one of them. */
  answers(request: IncomingMessage, response: ServerResponse): boolean;
}

/** `version`: of the link protocol, as set by the service that started the container; absent means version 1. */
export const authorizationOf = (secret: string, version: string | undefined): Authorization =>
  version === undefined ? new BearerAuthorization(secret) : new MutualAuthorization(secret);

/**
 * Mutual authentication: both ends prove for each connection that they know the secret. `GET /hello` returns the
 * agent's proof, and every other request on the same connection must carry the service's (docs/reference/protocol.md).
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
    const knows = { keepAlive: true, timezone: true, physicalKeys: true, pageFingers: true, clipboardContent: true };
    const hello: Hello = { version: LINK_VERSION, nonce: nonces.agent, proof, ...knows };
    const body = JSON.stringify(hello);
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length }).end(body);
    return true;
  }
}

/** Version 1, of services that have not been restarted since the image was built: the secret itself is sent. */
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

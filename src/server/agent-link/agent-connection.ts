import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { connect, type Socket } from 'node:net';
import type { Hello } from '../../protocol/generated/schemas.js';
import { HELLO_PATH, LINK_VERSION, LinkProofs, newNonce, NONCE_HEADER, sameProof } from '../../protocol/link-proof.js';
import { validator } from '../../protocol/validation.js';
import type { Endpoint } from '../engines/index.js';
import { withDeadline } from '../lib/deadline.js';

/** Where a session's agent listens, and the secret of its link. */
export interface AgentAddress extends Endpoint {
  secret: string;
}

/** A connection that the session's agent is at the other end of. */
export interface AgentConnection {
  socket: Socket;
  /** What tells the agent that requests on this connection are the service's. */
  authorization: string;
}

/** Whoever answers for an agent is not the session's, or does not do what it is asked; trying again would not help. */
export class AgentRefusal extends Error {
  override readonly name = 'AgentRefusal';
}

const OLDEST_VERSION = 1;

/** Largest answer of somebody who has not proven anything yet, bytes. */
const HELLO_MAX_BYTES = 4096;

const isHello = validator<Hello>('link.json#/$defs/hello', { allErrors: false });

/**
 * Connects to a session's agent and has it prove that it is that. Nothing else is sent before, and nothing at all that
 * another could use: neither on this connection, nor on a later one. Whoever gets the connection must end it.
 * @throws AgentRefusal where it proves nothing, or speaks another version; other errors where it cannot be reached
 */
export async function connectAgent(
  address: AgentAddress,
  timeoutMs: number,
  given?: AbortSignal,
): Promise<AgentConnection> {
  const { host, port, secret, linkVersion } = address;
  checkVersion(linkVersion);
  const signal = withDeadline(timeoutMs, ...(given === undefined ? [] : [given]));
  signal.throwIfAborted();
  const socket = connect({ host, port, noDelay: true });
  // Between two requests nobody else listens.
  socket.on('error', () => undefined);
  try {
    await once(socket, 'connect', { signal });
    // It was started by a service that knew of no proofs.
    if (linkVersion === OLDEST_VERSION) return { socket, authorization: `Bearer ${secret}` };
    const authorization = await prove(socket, secret, signal);
    if (socket.destroyed) throw new Error('The agent has closed the connection.');
    return { socket, authorization };
  } catch (error) {
    socket.destroy();
    throw error;
  }
}

/** Has the agent prove that it knows the secret; gives the proof that the service does. */
async function prove(socket: Socket, secret: string, signal: AbortSignal): Promise<string> {
  const proofs = new LinkProofs(secret);
  const nonce = newNonce();
  const { version, nonce: agent, proof } = await hello(socket, nonce, signal);
  const nonces = { service: nonce, agent };
  if (!sameProof(proof, proofs.ofAgent(nonces, version))) throw unproven();
  checkVersion(version);
  return proofs.ofService(nonces);
}

async function hello(socket: Socket, nonce: string, signal: AbortSignal): Promise<Hello> {
  const headers = { host: 'agent', [NONCE_HEADER]: nonce, connection: 'keep-alive' };
  const outgoing = request({ createConnection: () => socket, path: HELLO_PATH, headers, signal });
  // Also after the answer has begun, whose reader is told.
  outgoing.on('error', () => undefined);
  const answered = once(outgoing, 'response', { signal }) as Promise<[IncomingMessage]>;
  outgoing.end();
  const [answer] = await answered;
  if (answer.statusCode === 401) {
    throw new AgentRefusal(
      "The session's agent cannot prove that it is; build the images anew if they are of an older version.",
    );
  }
  const result = isHello(await readJson(answer));
  if (answer.statusCode !== 200 || !result.ok) throw unproven();
  return result.value;
}

async function readJson(answer: IncomingMessage): Promise<unknown> {
  let text = '';
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    text += chunk.toString('latin1');
    if (text.length > HELLO_MAX_BYTES) throw unproven();
  }
  try {
    return JSON.parse(text);
  } catch {
    throw unproven();
  }
}

const unproven = () => new AgentRefusal("What answers at the address of the session's agent did not prove to be it.");

/** @throws AgentRefusal where the service does not speak a version of the link's protocol */
function checkVersion(version: number): void {
  if (Number.isInteger(version) && version >= OLDEST_VERSION && version <= LINK_VERSION) return;
  throw new AgentRefusal(
    `The session's agent speaks version ${version} of the link's protocol, this service ${OLDEST_VERSION} to ${LINK_VERSION}.`,
  );
}

import { once } from 'node:events';
import { type ClientRequest, request, type IncomingMessage } from 'node:http';
import { connect, type Socket } from 'node:net';
import type { Hello } from '../../protocol/generated/schemas.js';
import { HELLO_PATH, LINK_VERSION, LinkProofs, newNonce, NONCE_HEADER, sameProof } from '../../protocol/link-proof.js';
import { validator } from '../../protocol/validation.js';
import type { Endpoint } from '../engines/index.js';
import { withDeadline } from '../lib/deadline.js';

/** Where a session's agent listens, and the secret for its link. */
export interface AgentAddress extends Endpoint {
  secret: string;
}

/** A connection whose remote end is known to be the session's agent. */
export interface AgentConnection {
  socket: Socket;
  /** Authorization header that proves to the agent that requests on this connection come from the service. */
  authorization: string;
  /** What the agent knows that agents of older images do not. */
  knows: AgentKnowledge;
}

/** What agents of older images do not know. */
export interface AgentKnowledge {
  /** Keep-alives by that name. */
  readonly keepAlive: boolean;
  /** The time zone in a browser's launch. */
  readonly timezone: boolean;
  /** Keys with their place on the keyboard. */
  readonly physicalKeys: boolean;
  /** Fingers beside a page: they are the mouse. */
  readonly pageFingers: boolean;
  /** HTML and pictures for the clipboard. */
  readonly clipboardContent: boolean;
}

/** The agent failed to authenticate or does not speak a supported protocol; retrying would not help. */
export class AgentRefusal extends Error {
  override readonly name = 'AgentRefusal';
}

const OLDEST_VERSION = 1;

/** The knowledge of an agent that says nothing of it. */
export const KNOWS_NOTHING: AgentKnowledge = {
  keepAlive: false,
  timezone: false,
  physicalKeys: false,
  pageFingers: false,
  clipboardContent: false,
};

/** Largest response accepted from an unauthenticated peer, bytes. */
const HELLO_MAX_BYTES = 4096;

const isHello = validator<Hello>('link.json#/$defs/hello', { allErrors: false });

/**
 * Connects to a session's agent and authenticates it. Nothing is sent before authentication, and nothing that is sent
 * can be replayed on this or a later connection. The caller must end the connection.
 * @throws AgentRefusal if authentication fails or the version is unsupported; other errors if the agent is unreachable
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
  // Between two requests there is no other error listener.
  socket.on('error', () => undefined);
  try {
    await once(socket, 'connect', { signal });
    // A container started by a service that predates mutual authentication.
    if (linkVersion === OLDEST_VERSION) return { socket, authorization: `Bearer ${secret}`, knows: KNOWS_NOTHING };
    const proven = await prove(socket, secret, signal);
    if (socket.destroyed) throw new Error('The agent has closed the connection.');
    return { socket, ...proven };
  } catch (error) {
    socket.destroy();
    throw error;
  }
}

/** Makes the agent prove that it knows the secret. */
async function prove(socket: Socket, secret: string, signal: AbortSignal): Promise<Omit<AgentConnection, 'socket'>> {
  const proofs = new LinkProofs(secret);
  const nonce = newNonce();
  const { version, nonce: agent, proof, ...knows } = await hello(socket, nonce, signal);
  const nonces = { service: nonce, agent };
  if (!sameProof(proof, proofs.ofAgent(nonces, version))) throw unproven();
  checkVersion(version);
  return { authorization: proofs.ofService(nonces), knows: { ...KNOWS_NOTHING, ...knows } };
}

/** Ends a request that is answered with an informational status: agents send none, and others could send any number. */
export function refuseInformation(outgoing: ClientRequest): ClientRequest {
  return outgoing.on('information', () => outgoing.destroy(new Error('The agent did not answer properly.')));
}

async function hello(socket: Socket, nonce: string, signal: AbortSignal): Promise<Hello> {
  const headers = { host: 'agent', [NONCE_HEADER]: nonce, connection: 'keep-alive' };
  const outgoing = request({ createConnection: () => socket, path: HELLO_PATH, headers, signal });
  // Errors may also arrive after the response has begun; its reader handles those.
  outgoing.on('error', () => undefined);
  refuseInformation(outgoing);
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

/** @throws AgentRefusal if the service does not speak this version of the link protocol */
function checkVersion(version: number): void {
  if (Number.isInteger(version) && version >= OLDEST_VERSION && version <= LINK_VERSION) return;
  throw new AgentRefusal(
    `The session's agent speaks version ${version} of the link's protocol, this service ${OLDEST_VERSION} to ${LINK_VERSION}.`,
  );
}

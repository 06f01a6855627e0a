import { request, type IncomingMessage } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { Readable } from 'node:stream';
import type { AgentRequest, AgentRequests } from '../model/index.js';
import { connectAgent, type AgentAddress, type AgentConnection } from './agent-connection.js';

/** Silence after which a request counts as lost, ms. */
const SILENCE_MS = 30_000;

/** Requests to one session's agent, for what is too large for messages (docs/protocol.md). */
export class AgentHttp implements AgentRequests {
  readonly #address: AgentAddress;

  constructor(address: AgentAddress) {
    this.#address = address;
  }

  /** Nothing is sent before the agent has proven that it is the session's. */
  async send({ method, path, headers = {}, body, signal }: AgentRequest): Promise<IncomingMessage> {
    const { socket, authorization } = await this.#connect(body, signal);
    const outgoing = request({
      createConnection: () => socket,
      method,
      path,
      headers: { host: 'agent', ...headers, authorization },
      ...(signal === undefined ? {} : { signal }),
    });
    outgoing.setTimeout(SILENCE_MS, () => outgoing.destroy(new Error('The agent did not answer in time.')));
    const answered = new Promise<IncomingMessage>((resolve, reject) => {
      outgoing.once('response', resolve);
      outgoing.on('error', reject);
    });
    if (body === undefined || Buffer.isBuffer(body)) {
      outgoing.end(body);
      return answered;
    }
    // An agent may answer, with an error, before it has read everything: that counts, whatever becomes of the rest.
    const sent = pipeline(body, outgoing);
    sent.catch(() => undefined);
    // Without an answer, what ended the sending says more than what that did to the connection.
    return answered.catch((error: unknown) => sent.then(() => Promise.reject(error)));
  }

  /** Where that fails, nobody reads the body any more. */
  async #connect(body: AgentRequest['body'], signal: AbortSignal | undefined): Promise<AgentConnection> {
    const stream = body instanceof Readable ? body : undefined;
    // It may fail before anybody reads it: that is told when it is read.
    stream?.on('error', () => undefined);
    try {
      return await connectAgent(this.#address, SILENCE_MS, signal);
    } catch (error) {
      stream?.destroy();
      throw error;
    }
  }
}

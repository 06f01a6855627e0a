import { request, type IncomingMessage } from 'node:http';
import { pipeline } from 'node:stream/promises';
import type { AgentRequest, AgentRequests } from '../model/index.js';
import type { LinkAddress } from './link.js';

/** Silence after which a request counts as lost, ms. */
const SILENCE_MS = 30_000;

/** Requests to one session's agent, for what is too large for messages (docs/protocol.md). */
export class AgentHttp implements AgentRequests {
  readonly #address: LinkAddress;

  constructor(address: LinkAddress) {
    this.#address = address;
  }

  async send({ method, path, headers = {}, body, signal }: AgentRequest): Promise<IncomingMessage> {
    const { host, port, secret } = this.#address;
    const outgoing = request({
      host,
      port,
      method,
      path,
      headers: { ...headers, authorization: `Bearer ${secret}` },
      timeout: SILENCE_MS,
      // A connection that rested may be closed by the agent in the moment in which it is used again.
      agent: false,
      ...(signal === undefined ? {} : { signal }),
    });
    outgoing.on('timeout', () => outgoing.destroy(new Error('The agent did not answer in time.')));
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
}

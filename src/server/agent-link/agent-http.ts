import { type ClientRequest, request, type IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { pipeline } from 'node:stream/promises';
import { Readable } from 'node:stream';
import { TokenBucket } from '../lib/token-bucket.js';
import type { AgentAnswer, AgentRequest, AgentRequests } from '../model/index.js';
import { connectAgent, refuseInformation, type AgentAddress, type AgentConnection } from './agent-connection.js';
import { PacedAnswer } from './paced-answer.js';

/**
 * Silence after which a request is considered lost, ms; twice that where the service waits for the body of the request
 * itself, so that whoever sends it is told first that it has stalled. Also how long the head of the answer may take
 * from the end of the request.
 */
export const SILENCE_MS = 30_000;

const SILENT = 'The agent did not answer in time.';

/** Bytes of all answers together. */
const ANSWERS = { perSecond: 32 << 20, burst: 64 << 20 };

/**
 * HTTP requests to one session's agent, for payloads too large for messages (docs/reference/protocol.md). Their answers share a
 * rate limit.
 */
export class AgentHttp implements AgentRequests {
  readonly #address: AgentAddress;
  readonly #silenceMs: number;
  readonly #answers = new TokenBucket(ANSWERS.perSecond, ANSWERS.burst);

  constructor(address: AgentAddress, silenceMs = SILENCE_MS) {
    this.#address = address;
    this.#silenceMs = silenceMs;
  }

  /** Sends nothing before the agent has authenticated itself. */
  async send({ method, path, headers = {}, body, signal }: AgentRequest): Promise<AgentAnswer> {
    const { socket, authorization } = await this.#connect(body, signal);
    const outgoing = request({
      createConnection: () => socket,
      method,
      path,
      headers: { host: 'agent', ...headers, authorization },
      ...(signal === undefined ? {} : { signal }),
    });
    refuseInformation(outgoing);
    this.#endSilent(outgoing, socket, body);
    const answered = new Promise<AgentAnswer>((resolve, reject) => {
      outgoing.once('response', (answer: IncomingMessage) => resolve(new PacedAnswer(answer, this.#answers)));
      outgoing.on('error', reject);
    });
    if (body === undefined || Buffer.isBuffer(body)) {
      outgoing.end(body);
      return answered;
    }
    // An agent may answer early with an error, before reading the whole body; that answer counts, whatever happens to
    // the rest of the body.
    const sent = pipeline(body, outgoing);
    sent.catch(() => undefined);
    // Without an answer, the error that stopped the upload says more than the resulting connection error.
    return answered.catch((error: unknown) => sent.then(() => Promise.reject(error)));
  }

  /** Ends a request whose connection has been idle for too long, or whose answer does not begin. */
  #endSilent(outgoing: ClientRequest, socket: Socket, body: AgentRequest['body']): void {
    const end = () => void outgoing.destroy(new Error(SILENT));
    let headTimer: NodeJS.Timeout | undefined;
    outgoing
      .once('finish', () => (headTimer = setTimeout(end, this.#silenceMs)))
      .once('response', () => clearTimeout(headTimer))
      .once('close', () => clearTimeout(headTimer));
    let sent: number | undefined;
    const waitsForBody = () =>
      body instanceof Readable && !body.readableEnded && body.readableLength === 0 && !outgoing.writableNeedDrain;
    socket.setTimeout(this.#silenceMs).on('timeout', () => {
      if (!waitsForBody() || sent === socket.bytesWritten) return end();
      sent = socket.bytesWritten;
      socket.setTimeout(this.#silenceMs);
    });
  }

  /** If that fails, nobody reads the body any more. */
  async #connect(body: AgentRequest['body'], signal: AbortSignal | undefined): Promise<AgentConnection> {
    const stream = body instanceof Readable ? body : undefined;
    // The body may fail before anybody reads it; the reader gets that error later.
    stream?.on('error', () => undefined);
    try {
      return await connectAgent(this.#address, this.#silenceMs, signal);
    } catch (error) {
      stream?.destroy();
      throw isTimeout(error) ? new Error(SILENT, { cause: error }) : error;
    }
  }
}

/** Whether this is an expired `AbortSignal.timeout`, or an error for it. */
const isTimeout = (error: unknown): boolean =>
  error instanceof Error && [error, error.cause].some(each => (each as Error | undefined)?.name === 'TimeoutError');

import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';

export interface AgentRequest {
  method: 'GET' | 'PUT' | 'POST';
  /** Including the query; variable parts must be encoded. */
  path: string;
  headers?: Record<string, string>;
  body?: Readable | Buffer;
  signal?: AbortSignal;
}

/** The head of an agent's answer, and its body as a stream, which whoever does not read it destroys. */
export interface AgentAnswer extends Readable {
  readonly statusCode?: number | undefined;
  readonly headers: IncomingHttpHeaders;
}

/** Sends HTTP requests to one session's agent. */
export interface AgentRequests {
  /**
   * Sends a request and resolves with the answer, whatever its status, once its head has arrived. Nothing is buffered.
   */
  send(request: AgentRequest): Promise<AgentAnswer>;
}

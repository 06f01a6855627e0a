import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';

export interface AgentRequest {
  method: 'GET' | 'PUT' | 'POST';
  /** With its query; parts that are not fixed must be encoded. */
  path: string;
  headers?: Record<string, string>;
  body?: Readable | Buffer;
  signal?: AbortSignal;
}

/** Sends HTTP requests to one session's agent. */
export interface AgentRequests {
  /** Sends a request and resolves with the answer, whatever its status, once its head is there. Nothing is held in memory. */
  send(request: AgentRequest): Promise<IncomingMessage>;
}

import type { KubeConfig, V1Status } from '@kubernetes/client-node';
import http from 'node:http';
import https, { type RequestOptions } from 'node:https';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import type { IncomingMessage } from 'node:http';
import { ConfigError } from '../../config/index.js';
import { EngineError } from '../engine.js';

/** Largest answer that is read; lists of our Pods are smaller. */
const MAX_ANSWER_BYTES = 256 << 20;

/** Retries of calls that a busy server refuses, and the longest pause before one, ms. */
const BUSY = { status: 429, tries: 4, waitMs: 5000 };

/**
 * An API server that has just started may not have loaded roles and accounts yet, even if `/readyz` says that it is
 * ready. So refusals with these statuses within `ms` after it could not be reached do not count as final.
 */
const STARTING = { refusals: [401, 403], ms: 15_000 };

/**
 * Limit of concurrent connections; further calls wait. Idle connections are closed before the server does so, since a
 * call sent at that moment would fail.
 */
const CONNECTIONS = { max: 32, idleMs: 30_000 };

/** The API server answered with an error. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  /** Such as `NotFound`, `AlreadyExists`, `Expired`; empty if the server gave none. */
  readonly reason: string;

  constructor(status: number, { message, reason }: Pick<V1Status, 'message' | 'reason'>) {
    super(message ?? `status ${status}`);
    this.status = status;
    this.reason = reason ?? '';
  }
}

export interface Call {
  signal: AbortSignal;
  query?: Readonly<Record<string, string>>;
  body?: unknown;
  /** Content type of the body; JSON by default. */
  type?: string;
}

/** One event of a watch. */
export interface WatchEvent<T> {
  type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK' | 'ERROR';
  object: T;
}

/** Loads the kubeconfig, or the credentials that a Pod has; sends nothing yet. @throws ConfigError */
export async function kubeConfig(context: string | null): Promise<KubeConfig> {
  // Large, so it is loaded only if there is a cluster.
  const { KubeConfig } = await import('./library.js');
  const config = new KubeConfig();
  try {
    config.loadFromDefault();
  } catch (error) {
    throw new ConfigError(`KUBECONFIG cannot be read: ${(error as Error).message}.`);
  }
  if (context !== null) {
    if (config.getContextObject(context) === null)
      throw new ConfigError(`BERTH_REGIONS names the context "${context}", which the kubeconfig does not have.`);
    config.setCurrentContext(context);
  }
  // The client library's fallback if it finds no configuration.
  if (config.getCurrentCluster()?.server === 'http://localhost:8080')
    throw new ConfigError('KUBECONFIG must name a cluster, since BERTH_REGIONS does and the service is in none.');
  if (config.getCurrentCluster() === null) throw new ConfigError('The kubeconfig names no cluster.');
  return config;
}

/**
 * Calls an API server. The typed client of `@kubernetes/client-node` opens a connection for each call and copies lists
 * into instances of its classes; this one reuses connections, can be aborted, and returns plain JSON. Authentication,
 * by certificate, token, file or command, is left to the library.
 */
export class ApiServer {
  readonly #config: KubeConfig;
  /** Reused as long as the credentials stay the same. */
  #agent: { key: string; agent: http.Agent } | undefined;
  /** When the server could last not be reached, ms of performance.now(). */
  #lostAt = -Infinity;

  constructor(config: KubeConfig) {
    this.#config = config;
  }

  get config(): KubeConfig {
    return this.#config;
  }

  /** URL of the server. */
  get url(): URL {
    return new URL(this.#config.getCurrentCluster()?.server ?? '');
  }

  /** Sends a request and returns the JSON of the answer. @throws ApiError, or a connection error */
  async call<T>(method: string, path: string, call: Call): Promise<T> {
    for (let tries = 1; ; tries++) {
      const response = await this.#send(method, path, call);
      const text = await read(response);
      const status = response.statusCode ?? 0;
      if (status >= 200 && status < 300) return JSON.parse(text) as T;
      if (STARTING.refusals.includes(status) && performance.now() - this.#lostAt < STARTING.ms)
        throw new ApiError(503, { message: `it may be starting: ${statusOf(text).message ?? status}` });
      if (status !== BUSY.status || tries >= BUSY.tries) throw new ApiError(status, statusOf(text));
      // The server has not begun to process the request.
      const wanted = 1000 * Number(response.headers['retry-after'] ?? 1);
      await sleep(Math.min(wanted || 1000, BUSY.waitMs), undefined, { signal: call.signal });
    }
  }

  /** The events of a watch, until the server ends it. @throws ApiError, or a connection error */
  async *watch<T>(path: string, call: Call): AsyncGenerator<WatchEvent<T>> {
    const query = { ...call.query, watch: 'true', allowWatchBookmarks: 'true' };
    const response = await this.#send('GET', path, { ...call, query });
    try {
      if (response.statusCode !== 200) throw new ApiError(response.statusCode ?? 0, statusOf(await read(response)));
      for await (const line of createInterface({ input: response, crlfDelay: Infinity })) {
        const event = JSON.parse(line) as WatchEvent<T>;
        if (event.type === 'ERROR') {
          const status = event.object as V1Status;
          throw new ApiError(status.code ?? 500, status);
        }
        yield event;
      }
      // The line reader does not report a stream that was cut off.
      if (!response.complete) throw this.#lost(new Error('the connection was cut off'));
    } finally {
      response.destroy();
    }
  }

  async #send(method: string, path: string, { signal, query, body, type }: Call): Promise<IncomingMessage> {
    const url = new URL(this.url.pathname.replace(/\/$/, '') + path, this.url);
    for (const [key, value] of Object.entries(query ?? {})) url.searchParams.set(key, value);
    const options: RequestOptions = { headers: {} };
    await this.#config.applyToHTTPSOptions(options);
    signal.throwIfAborted();
    const payload = body === undefined ? undefined : JSON.stringify(body);
    const headers = {
      ...(options.headers as http.OutgoingHttpHeaders),
      accept: 'application/json',
      ...(payload === undefined
        ? {}
        : { 'content-type': type ?? 'application/json', 'content-length': Buffer.byteLength(payload) }),
    };
    const { request } = url.protocol === 'https:' ? https : http;
    return new Promise((resolve, reject) => {
      const sent = request(url, { ...options, agent: this.#agentOf(options), method, headers, signal });
      sent.on('response', resolve).on('error', error => {
        const isGivenUp = signal.aborted && (signal.reason as Error).name !== 'TimeoutError';
        if (!isGivenUp) this.#lost(error);
        reject(signal.aborted ? (signal.reason as Error) : error);
      });
      sent.end(payload);
    });
  }

  #lost(error: Error): Error {
    this.#lostAt = performance.now();
    return error;
  }

  #agentOf(options: RequestOptions): http.Agent {
    const given = options.agent as http.Agent;
    // An agent for a proxy is used as it is.
    if (Object.getPrototypeOf(given) !== https.Agent.prototype) return given;
    const settings = (given as https.Agent).options;
    const { ca, cert, key, servername, rejectUnauthorized } = settings;
    const identity = [ca, cert, key, servername, rejectUnauthorized].map(String).join();
    if (this.#agent?.key !== identity)
      this.#agent = {
        key: identity,
        agent: new https.Agent({
          ...settings,
          keepAlive: true,
          maxSockets: CONNECTIONS.max,
          timeout: CONNECTIONS.idleMs,
        }),
      };
    return this.#agent.agent;
  }
}

async function read(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > MAX_ANSWER_BYTES) throw new Error('the answer is too large');
    chunks.push(chunk);
  }
  if (!response.complete) throw new Error('the connection was cut off');
  return Buffer.concat(chunks).toString('utf8');
}

/** Message and reason of an error's answer. */
function statusOf(text: string): Pick<V1Status, 'message' | 'reason'> {
  try {
    return JSON.parse(text) as V1Status;
  } catch {
    return { message: text.trim().slice(0, 300) };
  }
}

/** Turns errors of calls into EngineErrors; the reason of the caller's own abort stays as it is. */
export function engineError(error: unknown, signal?: AbortSignal): unknown {
  if (signal?.aborted) return signal.reason;
  if (error instanceof EngineError) return error;
  if (error instanceof ApiError) return ofApi(error);
  const { name, code, message } = error as NodeJS.ErrnoException;
  if (name === 'TimeoutError' || name === 'AbortError')
    return new EngineError('unavailable', "The cluster's API server did not answer in time.", error);
  return new EngineError('unavailable', `The cluster's API server cannot be reached (${code ?? message}).`, error);
}

/**
 * What an object is refused for that the account may make: a LimitRange, Pod Security or a webhook, where missing rights
 * are those of a user.
 */
const ADMISSION = /is forbidden: (?!User ")|denied the request/;

function ofApi(error: ApiError): EngineError {
  const { status, message } = error;
  if (status === 403 && message.includes('exceeded quota'))
    return new EngineError('full', `The cluster's quota is used up: ${message}.`, error);
  // Only the operator can fix these.
  if (status === 403 && ADMISSION.test(message))
    return new EngineError('unfit', `The cluster does not admit it: ${message}.`, error);
  if (status === 403)
    return new EngineError(
      'unfit',
      `The service lacks a right in the cluster: ${message}; give it the role that the chart has.`,
      error,
    );
  if (status === 404 && message.startsWith('namespaces '))
    return new EngineError(
      'unfit',
      `The cluster answered: ${message}; make the namespace, or set BERTH_KUBERNETES_NAMESPACE.`,
      error,
    );
  if (status === 401)
    return new EngineError('refused', "The cluster's API server does not know the service's credentials.", error);
  if (status === 429 || status >= 500)
    return new EngineError('unavailable', `The cluster's API server answered: ${message}`, error);
  return new EngineError('refused', `The cluster's API server answered: ${message}`, error);
}

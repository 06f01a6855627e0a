import type Docker from 'dockerode';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import type { EngineEvents } from '../engine.js';
import { ping } from './client.js';
import { Label, type Names } from './names.js';

const RETRY_MS = { first: 100, last: 2000 };
const PING_MS = 5000;

type WatchedEvents = Pick<EngineEvents, 'connected' | 'disconnected' | 'exited'>;

interface DockerEvent {
  Action?: string;
  timeNano?: number;
  Actor?: { Attributes?: Record<string, string> };
}

/** Follows the engine's event stream, reconnecting with exponential back-off until stopped. */
export class Watcher {
  readonly #docker: Docker;
  readonly #names: Names;
  readonly #events: WatchedEvents;
  readonly #outOfMemory = new Set<string>();
  readonly #stopped = new AbortController();
  #retryMs = RETRY_MS.first;

  constructor(docker: Docker, names: Names, events: WatchedEvents) {
    this.#docker = docker;
    this.#names = names;
    this.#events = events;
    void this.#run();
  }

  stop(): void {
    this.#stopped.abort();
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopped;
    while (!signal.aborted) {
      const error = await this.#follow(signal).then(
        () => new Error('the event stream ended'),
        (reason: unknown) => (reason instanceof Error ? reason : new Error(String(reason))),
      );
      if (signal.aborted) return;
      this.#events.disconnected(error);
      await pause(this.#retryMs, signal);
      this.#retryMs = Math.min(this.#retryMs * 2, RETRY_MS.last);
    }
  }

  async #follow(signal: AbortSignal): Promise<void> {
    const filters = {
      type: ['container'],
      event: ['die', 'oom', 'destroy'],
      label: [`${Label.instance}=${this.#names.instance}`],
    };
    const stream = (await this.#docker.getEvents({
      filters,
      abortSignal: signal,
    } as Docker.GetEventsOptions)) as Readable;
    // A dead connection, as to a host that vanished, ends with the first unanswered ping.
    const check = () => void ping(this.#docker, PING_MS - 500).catch((error: Error) => stream.destroy(error));
    const pings = setInterval(check, PING_MS);
    // With an error: without one, the loop below would wait for a line for ever.
    const stop = () => stream.destroy(signal.reason as Error);
    signal.addEventListener('abort', stop, { once: true });
    try {
      this.#retryMs = RETRY_MS.first;
      this.#events.connected();
      stream.on('error', () => {});
      for await (const line of createInterface({ input: stream, crlfDelay: Infinity })) this.#report(line);
    } finally {
      clearInterval(pings);
      signal.removeEventListener('abort', stop);
      stream.destroy();
    }
  }

  #report(line: string): void {
    const event = parse(line);
    const attributes = event?.Actor?.Attributes ?? {};
    const sessionId = attributes[Label.session];
    if (sessionId === undefined) return;
    if (event?.Action === 'oom') {
      this.#outOfMemory.add(sessionId);
      return;
    }
    const code = Number(attributes['exitCode'] ?? NaN);
    const outOfMemory = this.#outOfMemory.delete(sessionId) && code === 137;
    const at = event?.timeNano === undefined ? null : Math.floor(event.timeNano / 1e6);
    if (outOfMemory) this.#events.exited(sessionId, { type: 'out-of-memory', at });
    else
      this.#events.exited(sessionId, Number.isInteger(code) ? { type: 'status', code, at } : { type: 'removed', at });
  }
}

function parse(line: string): DockerEvent | null {
  try {
    return JSON.parse(line) as DockerEvent;
  } catch {
    return null;
  }
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise(resolve => {
    const done = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal.addEventListener('abort', done, { once: true });
  });
}

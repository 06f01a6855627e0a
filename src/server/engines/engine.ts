import type { KindName } from '../model/index.js';
/** Where a session's agent listens. */
export interface Endpoint {
  host: string;
  port: number;
  /** Version of the link's protocol that the service spoke which started its container. */
  linkVersion: number;
}

/** What an engine must know to start a session's container. It starts generic; the agent is told the rest. */
export interface ContainerRequest {
  sessionId: string;
  kind: KindName;
  linkSecret: string;
  /** The replica that makes it before there is a session, and may take it for one. */
  madeAheadBy?: string;
}

/** A container of ours. */
export interface FoundContainer {
  sessionId: string;
  /** Identity of the store that it was started for; null: it was started before that was noted. */
  store: string | null;
  /** Null where it does not run. */
  endpoint: Endpoint | null;
  /** Of one that has run and ended: how. */
  exit?: Exit;
  /** Of one that was made before its session: by whom, and when, UTC milliseconds. */
  madeAhead?: { by: string; at: number };
}

/** An image that an engine starts sessions from. */
export interface ImageInfo {
  /** Its name without the prefix: `chromium`. */
  image: string;
  /** Version and content, as the build tags it; null where somebody else made it. */
  tag: string | null;
  /** When its packages were fetched, UTC milliseconds; null where it does not say. */
  packagesAt: number | null;
  /** The package that it is there for, and its version: `chromium 156.0.8078.79-1`; null where it does not say. */
  program: string | null;
}

/** How a container ended. */
export interface Exit {
  code: number | null;
  outOfMemory: boolean;
  /** When, UTC milliseconds by the engine's clock; null where the engine does not know. */
  at: number | null;
}

/** Where an engine and its sessions are: nothing that strangers chose may be sent there. */
export interface Territory {
  /** Subnets of the containers, in CIDR notation. */
  networks: readonly string[];
  /** The engine's own address, by name or number, and what it publishes of containers; `port` null: all ports. */
  hosts: readonly { host: string; port: number | null }[];
}

/** What an engine tells of its containers. */
export interface EngineEvents {
  /** Events are told from here on; what happened before must be looked up. */
  connected(): void;
  /** No events until the next `connected`. */
  disconnected(error: Error): void;
  exited(sessionId: string, exit: Exit): void;
  /** What keeps sessions apart was gone, and is in place again. */
  restored(): void;
  /** Whether it is in place cannot be told, or it cannot be put there: no session starts until it can. */
  exposed(error: Error): void;
}

/** Runs sessions' containers. It knows nothing of sessions but their IDs. */
export interface Engine {
  /**
   * Starts a container; on failure or abort nothing is left of it.
   * @throws EngineError
   */
  start(request: ContainerRequest, signal: AbortSignal): Promise<Endpoint>;
  /** Removes a session's container; none is no error. */
  stop(sessionId: string): Promise<void>;
  /** All sessions' containers of this instance, whichever store they were started for. */
  list(): Promise<FoundContainer[]>;
  /** Tells events until stopped, reconnecting by itself. */
  watch(events: EngineEvents): { stop(): void };
  /** The images of sessions, as far as they are there. */
  images(): Promise<ImageInfo[]>;
  /** Whether sessions can be started. */
  ping(): Promise<void>;
  /**
   * Where it and its sessions are.
   * @throws EngineError, also while its network is not there yet
   */
  territory(): Promise<Territory>;
  /**
   * Removes the containers that are ours, and network and rules unless they are needed for others'.
   * @returns the others'
   */
  teardown(isOurs: (container: FoundContainer) => boolean): Promise<FoundContainer[]>;
}

/** It cannot be reached, it said no, or it lacks what a setting asks of it. */
export type EngineFailure = 'unavailable' | 'refused' | 'unfit';

/** Why an engine did not do what it was asked. */
export class EngineError extends Error {
  override readonly name = 'EngineError';
  readonly kind: EngineFailure;

  constructor(kind: EngineFailure, message: string, cause?: unknown) {
    super(message, { cause });
    this.kind = kind;
  }
}

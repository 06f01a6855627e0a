import type { AdbDevice } from '../config/index.js';
import type { Preparation } from '../../protocol/preparation.js';
import type { KindName } from '../model/index.js';

/** Where a session's agent listens. */
export interface Endpoint {
  host: string;
  port: number;
  /** Link protocol version of the service that started its container. */
  linkVersion: number;
}

/** A session's container to be started. Containers start generic; their agent is told the rest later. */
export interface ContainerRequest {
  sessionId: string;
  kind: KindName;
  linkSecret: string;
  /** The device that an Android session reaches by adb, and nothing else; its host is an IPv4 address. */
  adb?: AdbDevice;
  /** The replica that starts it for its warm pool, before there is a session. */
  warmedBy?: string;
  /** Tells a container of the warm pool what to start already. */
  preparation?: Preparation;
}

/** A container of this instance. */
export interface FoundContainer {
  sessionId: string;
  /** Identity of the store it was started for; null: it predates that label. */
  store: string | null;
  /** Null if it is not running. */
  endpoint: Endpoint | null;
  /** How it ended, if it ran and ended. */
  exit?: Exit;
  /** For a container of a warm pool: who created it, and when, UTC milliseconds. */
  warm?: { by: string; at: number };
}

/** An image that an engine starts sessions from. */
export interface ImageInfo {
  /** Its name without the prefix: `chromium`. */
  image: string;
  /** Version and content hash, as the build tags it; null if it was built elsewhere. */
  tag: string | null;
  /** When its packages were fetched, UTC milliseconds; null if unknown. */
  packagesAt: number | null;
  /** The package it exists for, and its version: `chromium 156.0.8078.79-1`; null if unknown. */
  program: string | null;
}

/** How a container ended. */
export type Exit = {
  /** When, UTC milliseconds by the engine's clock; null if the engine does not know. */
  at: number | null;
} & (
  | { type: 'status'; code: number }
  | { type: 'out-of-memory' }
  | { type: 'removed' }
  /** The engine or its machine removed it; `reason` is a sentence. */
  | { type: 'evicted'; reason: string }
);

/** Addresses of an engine and its sessions, which user-supplied addresses must not reach. */
export interface EngineAddresses {
  /** Subnets of the containers, in CIDR notation. */
  networks: readonly string[];
  /**
   * The engine's own address, by name or number, and the ports that it publishes for containers; `port` null: all
   * ports.
   */
  hosts: readonly { host: string; port: number | null }[];
}

/** Events of an engine's containers. */
export interface EngineEvents {
  /** Events follow from here on; what happened before must be looked up. */
  connected(): void;
  /** No events until the next `connected`. */
  disconnected(error: Error): void;
  exited(sessionId: string, exit: Exit): void;
  /** The engine will end a container on its own, no later than `until`, UTC milliseconds by its clock. */
  leaving(sessionId: string, until: number): void;
  /** Network isolation was lost and has been restored. */
  restored(): void;
  /** Network isolation cannot be verified or restored: no session starts until it can. */
  exposed(error: Error): void;
}

/** Runs sessions' containers. Of sessions it knows only their IDs. */
export interface Engine {
  /** Starts a container; on failure or abort nothing of it is left. @throws EngineError */
  start(request: ContainerRequest, signal: AbortSignal): Promise<Endpoint>;
  /** A session uses this container of the warm pool from now on. */
  assigned(sessionId: string): Promise<void>;
  /** Removes a session's container, if it exists. */
  stop(sessionId: string): Promise<void>;
  /**
   * All session containers of this instance, whichever store they were started for. May lag: containers started a
   * moment ago may be missing.
   */
  list(): Promise<FoundContainer[]>;
  /** A session's container as it is now; null if there is none. */
  find(sessionId: string): Promise<FoundContainer | null>;
  /** Reports events until stopped, reconnecting automatically. */
  watch(events: EngineEvents): { stop(): void };
  /** The session images that exist. */
  images(): Promise<ImageInfo[]>;
  /** Whether sessions can be started. */
  ping(): Promise<void>;
  /**
   * The addresses of it and its sessions.
   * @throws EngineError, also while its network does not exist yet
   */
  addresses(): Promise<EngineAddresses>;
  /** Removes our containers, and the network and rules unless others still need them. @returns the others' */
  teardown(isOurs: (container: FoundContainer) => boolean): Promise<FoundContainer[]>;
}

/** It is unreachable, it refused, it has no room, or it lacks something that a setting requires. */
export type EngineFailure = 'unavailable' | 'refused' | 'full' | 'unfit';

/** Why an engine call failed. */
export class EngineError extends Error {
  override readonly name = 'EngineError';
  readonly failure: EngineFailure;

  constructor(failure: EngineFailure, message: string, cause?: unknown) {
    super(message, { cause });
    this.failure = failure;
  }
}

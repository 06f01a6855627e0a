import type { ViewerLimits } from '../config/index.js';
import type { AccessDefaults, AuthPolicy, Callers, SessionTokens, TokenClaim } from '../model/index.js';
import type { IncomingMessage } from 'node:http';
import type { TokenBucket } from '../lib/token-bucket.js';
import type { Logger } from 'pino';
import type { AuditEvent } from '../audit/index.js';
import type { AgentAddress } from '../agent-link/index.js';
import type { Activity, AgentState, End, Launch } from '../../protocol/generated/schemas.js';
import type { MediaMetrics } from '../media/index.js';
import type { WebhookSender } from '../webhooks/index.js';

/** The reason of a session's end that viewers are told. */
export type EndReason = End['reason'];

/** How a session ended, for its viewers. */
export type LastWords = Pick<End, 'reason' | 'message' | 'code'>;

/** Where a session's agent listens, and what it must launch. */
export interface LinkTarget extends AgentAddress {
  sessionId: string;
  launch: Launch;
  /** A participant's rights when it joins. */
  defaults: AccessDefaults;
  auth: AuthPolicy;
  /** The tokens in force. */
  tokens: SessionTokens;
}

/** Events from the hub to the rest of the service. Handlers must not throw. */
export interface HubEvents {
  state(sessionId: string, state: AgentState): void;
  activity(sessionId: string, activity: Activity): void;
  /** The number of viewers; reported on each change, and when a link to the agent was opened. */
  presence(sessionId: string, viewers: number): void;
  /**
   * The agent lacks the game or app that the session was started with; repeated until it has it. `link`: number of the
   * link that it says so on, the session's first is 1.
   */
  wants(sessionId: string, link: number): void;
  /**
   * A pool device wants a token signed, in base64; gives the signature, null if there is no key for it, undefined if none
   * is given.
   */
  sign?(sessionId: string, token: string): string | null | undefined;
  /** An admin changed the access of later viewers; resolves when that is stored, and rejects if it is not. */
  defaults(sessionId: string, defaults: AccessDefaults): Promise<void>;
  /** Somebody acted, or tried to act, over a socket; for the audit log. */
  acted?(event: AuditEvent): void;
}

/** Counters of the hub. Called on the hot path: implementations must be cheap and must not throw. */
export interface HubMetrics extends MediaMetrics {
  /** Viewers that joined (positive) or left (negative). */
  viewers(change: number): void;
}

/** Where a viewer comes from. */
export interface Origin {
  ip: string;
  user_agent: string;
}

/** A viewer's connection. */
export interface Connection extends Origin {
  /** The version of the messages to viewers that its page understands. */
  version: number;
  /** What viewers of its address may cost together. */
  budget: TokenBucket;
}

export type SessionStatus = 'unknown' | 'ended' | 'running';

export interface HubOptions {
  log: Logger;
  metrics: HubMetrics;
  events: HubEvents;
  /**
   * The claims of a token that was made for the session, checked in constant time; null if it was not. Accesses no
   * store.
   */
  verify: (sessionId: string, token: string) => TokenClaim | null;
  /** What the store knows about a session. */
  find: (sessionId: string) => Promise<SessionStatus>;
  /** The address that a request came from, as far as proxies are trusted. */
  clientIp: (request: IncomingMessage) => string;
  /** Calls participant webhooks. */
  webhooks: WebhookSender;
  /** Throttles addresses that connect too often, or present wrong tokens. */
  callers: Callers;
  limits: ViewerLimits;
  /** Prefix of the headers that tell a participant webhook where a user comes from. */
  headerPrefix: string;
}

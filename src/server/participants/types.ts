import type { ViewerLimits } from '../config/index.js';
import type { AccessDefaults, AuthPolicy, Callers, SessionTokens, TokenClaim } from '../model/index.js';
import type { IncomingMessage } from 'node:http';
import type { Logger } from 'pino';
import type { AuditEvent } from '../audit/index.js';
import type { AgentAddress } from '../agent-link/index.js';
import type { Activity, AgentState, End, Launch } from '../../protocol/generated/schemas.js';
import type { WebhookSender } from '../webhooks/index.js';

/** Why viewers are told that a session ended. */
export type EndReason = End['reason'];

/** Where a session's agent listens, and what it must launch. */
export interface LinkTarget extends AgentAddress {
  sessionId: string;
  launch: Launch;
  /** What a viewer may do when it joins. */
  defaults: AccessDefaults;
  auth: AuthPolicy;
  /** Those that are in force. */
  tokens: SessionTokens;
}

/** What the hub tells the rest of the service. Handlers must not throw. */
export interface HubEvents {
  state(sessionId: string, state: AgentState): void;
  activity(sessionId: string, activity: Activity): void;
  /** So many viewers take part by now; told with each change, and when a link to the agent was opened. */
  presence(sessionId: string, viewers: number): void;
  /** The agent lacks the game that the session was started with; told again until it has it. */
  wants(sessionId: string): void;
  /** An admin changed what viewers get that join from now on; resolves when that is kept, and rejects where it is not. */
  defaults(sessionId: string, defaults: AccessDefaults): Promise<void>;
  /** Somebody did something by a socket, or tried to; for the audit. */
  acted?(event: AuditEvent): void;
}

/** What the hub counts. Called on the hot path: implementations must be cheap and must not throw. */
export interface HubMetrics {
  /** Video frames that came from agents. */
  framesReceived(count: number): void;
  /** Video frames handed to viewers' sockets. */
  framesSent(count: number): void;
  /** Video frames that were dropped because a viewer was behind. */
  framesDropped(count: number): void;
  /** Bytes of media handed to viewers' sockets. */
  bytesSent(count: number): void;
  /** Key frames asked of agents. */
  keyframeRequests(count: number): void;
  /** Viewers that joined (positive) or left (negative). */
  viewers(change: number): void;
}

/** Where a viewer comes from. */
export interface Origin {
  ip: string;
  user_agent: string;
}

export type SessionStatus = 'unknown' | 'ended' | 'running';

export interface HubOptions {
  log: Logger;
  metrics: HubMetrics;
  events: HubEvents;
  /** What a token claims that was made for the session, compared in constant time; null where it was not. Asks nobody. */
  verify: (sessionId: string, token: string) => TokenClaim | null;
  /** What the store knows of a session. */
  find: (sessionId: string) => Promise<SessionStatus>;
  /** The address that a request came from, as far as proxies are trusted. */
  clientIp: (request: IncomingMessage) => string;
  /** Asks participant webhooks. */
  webhooks: WebhookSender;
  /** Slows down addresses that connect too often, or show wrong tokens. */
  callers: Callers;
  limits: ViewerLimits;
  /** Begins the names of the headers that tell a participant webhook where a user comes from. */
  headerPrefix: string;
}

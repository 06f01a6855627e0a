import type { Logger } from 'pino';
import type { HttpProxy } from '../../protocol/generated/schemas.js';
import type { Audit } from '../audit/index.js';
import type { AndroidConfig, EventsConfig, RomConfig } from '../config/index.js';
import type { Callers, Tokens } from '../model/index.js';
import type { Outbound } from '../outbound/index.js';
import type { Profiles } from '../profiles/index.js';
import type { Sessions } from '../sessions/index.js';
import type { Store } from '../store/index.js';
import type { WebhookSender } from '../webhooks/index.js';
import type { Addresses } from './addresses.js';
import type { EventFeed } from './event-feed.js';

/** Status of the service for operators and their tools. */
export interface Health {
  /** Whether the service is ready, and the names of the parts that do not work. */
  state(): Promise<{ isReady: boolean; failing: readonly string[] }>;
  /** The metrics as text, and its content type. */
  metrics(): Promise<{ contentType: string; text: string }>;
}

/** The dependencies of the HTTP app. */
export interface AppOptions {
  outbound: Outbound;
  webhooks: WebhookSender;
  sessions: Sessions;
  store: Store;
  profiles: Profiles;
  tokens: Tokens;
  callers: Callers;
  health: Health;
  /** Readers of events. */
  feed: EventFeed;
  /** The service's own receiver of events; null: there is none. */
  events: EventsConfig | null;
  apiKeys: readonly string[];
  publicUrl: string | null;
  roms: RomConfig;
  android: AndroidConfig;
  /** Proxy for Chromium sessions that specify none. */
  httpProxy: HttpProxy | null;
  /** Time zone of browsers whose start requests specify none; null: UTC. */
  timezone: string | null;
  trustProxy: boolean | number | string;
  rateLimit: number;
  metricsOpen: boolean;
  uploadMaxBytes: number;
  /** The package's version. */
  version: string;
  /** Folder of the built web client. */
  webFolder: string;
  audit: Audit;
  log: Logger;
}

/** A text that stays the same while the service runs, and its ETag. */
export interface StaticText {
  bytes: Buffer;
  etag: string;
}

/** Everything that operations need to handle requests. */
export interface OperationContext extends AppOptions {
  addresses: Addresses;
  /** The OpenAPI document, as JSON and as a page. */
  description: { document: StaticText; page: StaticText };
}

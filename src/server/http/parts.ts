import type { Logger } from 'pino';
import type { HttpProxy } from '../../protocol/generated/schemas.js';
import type { Audit } from '../audit/index.js';
import type { RomConfig } from '../config/index.js';
import type { Callers, Tokens } from '../model/index.js';
import type { Outbound } from '../outbound/index.js';
import type { Sessions } from '../sessions/index.js';
import type { Store } from '../store/index.js';
import type { WebhookSender } from '../webhooks/index.js';
import type { Addresses } from './operations/addresses.js';

/** What operators and their tools ask about. */
export interface Health {
  /** Resolves with the parts for which the service is not ready; none: it is. */
  failing(): Promise<readonly string[]>;
  /** The metrics as text, and its content type. */
  metrics(): Promise<{ contentType: string; text: string }>;
}

/** What the interface is put together of. */
export interface AppParts {
  outbound: Outbound;
  webhooks: WebhookSender;
  sessions: Sessions;
  store: Store;
  tokens: Tokens;
  callers: Callers;
  health: Health;
  apiKeys: readonly string[];
  publicUrl: string | null;
  roms: RomConfig;
  /** Proxy of Chromium sessions that name none. */
  httpProxy: HttpProxy | null;
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

/** What operations work with. */
export interface Parts extends AppParts {
  addresses: Addresses;
  /** The description of the interface, as JSON and as a page. */
  description: { document: object; page: string };
}

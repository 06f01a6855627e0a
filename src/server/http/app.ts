import express, { type Express } from 'express';
import type { Logger } from 'pino';
import type { HttpProxy } from '../../protocol/generated/schemas.js';
import type { Audit } from '../audit/index.js';
import type { RomConfig } from '../config/index.js';
import type { Outbound } from '../outbound/index.js';
import type { Sessions } from '../sessions/index.js';
import type { Callers, Tokens } from '../model/index.js';
import type { Store } from '../store/index.js';
import type { WebhookSender } from '../webhooks/index.js';
import { Addresses } from './addresses.js';
import { auditRequests } from './audit.js';
import { ApiKeys } from './credentials.js';
import { crossOrigin } from './cross-origin.js';
import { embed } from './embed.js';
import { failure, notFound } from './error-handler.js';
import { requestLog } from './logging.js';
import { openApi } from './openapi/index.js';
import { operations, type Operations } from './health.js';
import { limitRate } from './rate-limit.js';
import { securityHeaders } from './security.js';
import { sessionResources } from './sessions.js';
import { SessionGuard } from './session/guard.js';
import { sessionAddress } from './session/index.js';
import { startChromium } from './start-chromium.js';
import { startConsole } from './start-console.js';
import { usage } from './usage.js';

export interface AppParts {
  outbound: Outbound;
  webhooks: WebhookSender;
  sessions: Sessions;
  store: Store;
  tokens: Tokens;
  callers: Callers;
  operations: Operations;
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

/** The REST interface and the pages. */
export function createApp(parts: AppParts): Express {
  const { sessions, store, tokens, log } = parts;
  const apiKeys = new ApiKeys(parts.apiKeys);
  const { required } = apiKeys;
  const addresses = new Addresses(parts.publicUrl, tokens);
  const limit = limitRate(parts.rateLimit);
  const assets = express.static(parts.webFolder, { index: false, redirect: false, maxAge: '1h' });

  const app = express();
  app.disable('x-powered-by').disable('etag');
  app.set('trust proxy', parts.trustProxy);
  app.use(requestLog(log), auditRequests(parts.audit), securityHeaders);
  app.use(operations(parts.operations, parts.metricsOpen ? null : required));
  app.use(openApi(parts.version));
  if (limit !== null) app.use(['/v0', '/console', '/s'], limit);
  app.use(embed(sessions, store.sessions, tokens, parts.webFolder));
  const guard = new SessionGuard(sessions, store.sessions, tokens, apiKeys);
  app.use(sessionAddress(sessions, store.sessions, guard, addresses, parts.uploadMaxBytes));
  app.use(['/v0', '/console'], required);
  app.use(
    startChromium(sessions, addresses, parts.webhooks, parts.httpProxy),
    startConsole(sessions, addresses, parts),
    usage(store),
    sessionResources(sessions, store.sessions, addresses),
  );
  app.use('/assets', crossOrigin, assets);
  // The SDK's address is /sdk.js, and it loads its parts from beside it.
  app.use(crossOrigin, assets);
  app.use(notFound, failure(log, parts.callers));
  return app;
}

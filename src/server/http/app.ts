import express, { type Express, type RequestHandler } from 'express';
import { Addresses } from './addresses.js';
import { plainAddresses } from './client-ip.js';
import type { AppOptions } from './context.js';
import { ApiKeys } from './credentials/api-keys.js';
import { makeGuards } from './credentials/guards.js';
import { failure, notFound } from './errors.js';
import { auditRequests } from './middleware/audit.js';
import { crossOrigin, readable } from './middleware/cross-origin.js';
import { identify, requestLog } from './middleware/logging.js';
import { limitRate } from './middleware/rate-limit.js';
import { securityHeaders } from './middleware/security-headers.js';
import { withoutSlash } from './middleware/trailing-slash.js';
import { describe } from './openapi/index.js';
import { operations } from './operations/index.js';
import { publicPathOf } from './public-path.js';
import { matchRequests } from './table/match.js';
import { routes } from './table/routes.js';

/** Creates the HTTP app: the operations of the interface, and the pages. */
export function createApp(options: AppOptions): Express {
  const apiKeys = new ApiKeys(options.apiKeys);
  const addresses = new Addresses(options.publicUrl, options.tokens);
  const limit = limitRate(options.rateLimit, options);
  const assets = express.static(options.webFolder, { index: false, redirect: false, maxAge: '1h' });

  const app = express();
  app.disable('x-powered-by').disable('etag');
  app.set('trust proxy', options.trustProxy);
  plainAddresses(app);
  app.use(matchRequests(operations), identify, securityHeaders);
  app.use('/s/:id', readable);
  // Before the logs: requests beyond the limit are counted, not logged.
  if (limit !== null) app.use(limit);
  app.use(requestLog(options.log), withoutSlash, auditRequests(options.audit));
  app.use('/s/:id', crossOrigin);
  // Without a key, nobody learns which addresses exist.
  app.use(['/v0', '/console'], keyed(apiKeys));
  const context = { ...options, addresses, description: describe(options.version, publicPathOf(options.publicUrl)) };
  app.use(routes(operations, context, makeGuards(options, apiKeys)));
  app.use('/assets', crossOrigin, assets);
  // The SDK is at /sdk.js and loads its modules from next to it.
  app.use(crossOrigin, assets);
  app.use(notFound, failure(options.log, options.callers, options.webFolder));
  return app;
}

const keyed =
  (apiKeys: ApiKeys): RequestHandler =>
  (request, _response, next) => {
    apiKeys.require(request);
    next();
  };

import { join } from 'node:path';
import { operation } from '../table/operation.js';

/** Stricter than that of other pages: people type API keys into this one. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join(';');

/** The page at the service's own address, for people. */
export const home = [
  operation({
    method: 'get',
    path: '/',
    id: 'openHome',
    tag: 'Service',
    summary: 'The page at the address of the service',
    description: 'Says what the service is, and starts a first session for whoever has an API key.',
    credential: 'none',
    answers: { 200: { description: 'The page.', content: { 'text/html': { schema: { type: 'string' } } } } },
    errors: [],
    audit: null,
    handle:
      ({ webFolder }) =>
      ({ response }) =>
        response
          .set({ 'content-security-policy': POLICY, 'x-frame-options': 'DENY', 'cache-control': 'no-cache' })
          .sendFile(join(webFolder, 'home.html'), { cacheControl: false }),
  }),
];

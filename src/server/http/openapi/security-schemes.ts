import type { Security } from '../credentials/credential.js';

/** How callers authenticate. */
export const securitySchemes: Record<Security, { type: string; description: string; [field: string]: string }> = {
  apiKey: { type: 'http', scheme: 'bearer', description: "The service's API key. It opens every session too." },
  adminToken: {
    type: 'http',
    scheme: 'bearer',
    description: "The session's `admin_token`, good for this session only.",
  },
  embedToken: {
    type: 'apiKey',
    in: 'query',
    name: 'token',
    description: 'The token in `embed_url`; the admin token is accepted too.',
  },
  ticket: {
    type: 'apiKey',
    in: 'query',
    name: 'ticket',
    description: 'The credential of one connected viewer, from its `welcome` message.',
  },
};

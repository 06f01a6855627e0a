import type { Access } from '../../model/index.js';

/** How a caller shows who it is. */
export type Security = 'apiKey' | 'adminToken' | 'embedToken' | 'ticket';

/**
 * What operations ask of their callers: each of a list is enough. All but `none` and `apiKey` are good for the live
 * session whose ID is in the path as `{session_id}`.
 */
export const CREDENTIALS = {
  none: [],
  apiKey: ['apiKey'],
  embedToken: ['embedToken'],
  admin: ['adminToken', 'apiKey'],
  viewer: ['ticket', 'adminToken', 'apiKey'],
} as const satisfies Record<string, readonly Security[]>;

export type Credential = keyof typeof CREDENTIALS;

/** What a viewer must be allowed for a request, and what the others are told. */
export interface ViewerNeed {
  test(access: Access): boolean;
  message: string;
}

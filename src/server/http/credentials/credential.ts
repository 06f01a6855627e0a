import type { Need } from '../../model/index.js';

/** How a caller authenticates. */
export type Security = 'apiKey' | 'adminToken' | 'embedToken' | 'ticket';

/**
 * The credentials that operations accept; any one of a list suffices. All but `none` and `apiKey` are for the live
 * session whose ID is in the path as `{session_id}`.
 */
export const CREDENTIALS = {
  none: [],
  apiKey: ['apiKey'],
  embedToken: ['embedToken'],
  admin: ['adminToken', 'apiKey'],
  // The ticket last: generated clients send what they were given, an API key, as the first one.
  viewer: ['adminToken', 'apiKey', 'ticket'],
} as const satisfies Record<string, readonly Security[]>;

export type Credential = keyof typeof CREDENTIALS;

/** What a viewer needs for a request. */
export interface ViewerNeed extends Need {
  /** Whether it must have control now; default false. */
  readonly control?: boolean;
}

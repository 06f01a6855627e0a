import type { Role } from '../../protocol/generated/schemas.js';

/** The webhook that authorizes participants. */
export interface WebhookPolicy {
  type: 'webhook';
  url: string;
  bearer: string | null;
  /** Signs the requests; null: the service's own secret does. */
  secret: string | null;
}

/** Who may join: everybody with the embed token, or those whom a webhook authorizes. */
export type AuthPolicy = { type: 'token' } | WebhookPolicy;

/** Which of a session's two tokens was presented. */
export type Credential = 'embed' | 'admin';

/** A participant's rights when it joins. */
export interface AccessDefaults {
  roles: Role[];
  control_disabled: boolean;
}

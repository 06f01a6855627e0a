import type { Role } from '../../protocol/generated/schemas.js';

/** The webhook that is asked about those who want to take part. */
export interface WebhookPolicy {
  type: 'webhook';
  url: string;
  bearer: string | null;
  /** Signs what it is asked; null: the service's own secret does. */
  secret: string | null;
}

/** Who may take part: whoever has the embed token, or whom a webhook lets in besides. */
export type AuthPolicy = { type: 'token' } | WebhookPolicy;

/** Which of a session's two tokens was shown. */
export type Credential = 'embed' | 'admin';

/** What a participant may do when it joins. */
export interface AccessDefaults {
  roles: Role[];
  control_disabled: boolean;
}

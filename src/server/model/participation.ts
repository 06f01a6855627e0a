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

/** The user who has a session in private, however often it reconnects. */
export interface PrivateUser {
  /** ID of its newest connection. */
  readonly userId: string;
  /** SHA-256 of that connection's ticket, hexadecimal, by which the user is known when it comes back. */
  readonly ticketHash: string;
  /** The number of this time in private; absent in rows of earlier versions, of which it is the first. */
  readonly time?: number;
}

/** A participant's rights when it joins. */
export interface AccessDefaults {
  roles: Role[];
  control_disabled: boolean;
  /** Whether it may say what it is called, default false. */
  own_names?: boolean;
  /** Who alone sees, hears and uses the session; absent: nobody. */
  private?: PrivateUser;
  /** The newest downloads, each with the number of the time in private in which it came; 0: in public. */
  downloads?: readonly (readonly [id: string, time: number])[];
}

import type { components, operations } from '../protocol/generated/openapi.js';

type Schemas = components['schemas'];

/** What makes starts repeatable. */
export interface Repeatable {
  /**
   * Of starts with the same key within 24 hours one makes a session, and the others get the same: for programs that may
   * be interrupted before they have noted the answer. 1 to 255 visible ASCII characters, no quotes and no backslash.
   * Default: a random one for each call, by which it can be retried.
   */
  idempotencyKey?: string;
}
/** Fields of a request for a Chromium session; all are optional. */
export type StartOptions = Schemas['StartChromium'] & Repeatable;
/** Fields of a request for an Android device; all are optional. */
export type AndroidOptions = Schemas['StartAndroid'] & Repeatable;
/** Fields of a request for a console. */
export type ConsoleOptions = Schemas['StartConsole'] & Repeatable;
/** A session as returned by a start. */
export type SessionCreated = Schemas['SessionCreated'];
/** A session, running or ended. */
export type SessionRecord = Schemas['SessionRecord'];
/** A session in the list. */
export type SessionListEntry = Schemas['SessionListEntry'];
/** Which sessions are listed, and in which order. */
export type SessionFilter = Omit<NonNullable<operations['listSessions']['parameters']['query']>, 'after_id'>;
/** A profile that sessions have saved. */
export type ProfileRecord = Schemas['ProfileRecord'];
/** Which profiles are listed, and in which order. */
export type ProfileFilter = Omit<NonNullable<operations['listProfiles']['parameters']['query']>, 'after_id'>;
/** What went with a tenant. */
export type TenantDeleted = Schemas['TenantDeleted'];
/** A usage query. */
export type UsageOptions = NonNullable<operations['readUsage']['parameters']['query']>;
/** Usage of one day or month. */
export type UsageEntry = Schemas['Usage']['usage'][number];
/** What a user may do. */
export type Role = Schemas['Role'];
/** How a user controls the session. */
export type Permissions = Schemas['Permissions'];
/** A connected user. */
export type SessionUser = Schemas['SessionUser'];
/** Timeouts to change, in seconds; null turns one off. */
export type TimeoutChange = Schemas['TimeoutChange'];
/** The timeouts of a session, in seconds; null: off. */
export type TimeoutsInForce = Schemas['TimeoutsInForce'];
/** Which tokens to renew, both by default, and whether their viewers stay connected. */
export type TokensRenewal = Schemas['TokensRenewal'];
/** A seat of a console; `user_id` is null if it is free. */
export type SessionSeat = Schemas['AllSeats'][number];
/** @deprecated Use SessionSeat: `Seat` is what the web SDK calls its own form of a seat. */
export type Seat = SessionSeat;
/** A dialog of a browser that waits for an answer. */
export type SessionDialog = Schemas['Dialog'];
/** A file that was downloaded in the session. */
export type Download =
  operations['listDownloads']['responses'][200]['content']['application/json']['downloads'][number];
/** Where an upload goes: into a folder, by its ID, and the folders in it that lead to the file. */
export type UploadPlace = NonNullable<operations['upload']['parameters']['query']>;
/** What the service sends to `timeout.webhook.url`. */
export type TimeoutEvent = Schemas['TimeoutEvent'];
/** What the service sends to `events.webhook.url`, and what is in its feed. A later version may have others. */
export type LifecycleEvent = Schemas['LifecycleEvent'];
/** The names of events. */
export type LifecycleEventName = Schemas['LifecycleEventName'];
/** What the service sends to `auth.value.url` about a user who wants to join. */
export type ParticipantCheckRequest = Omit<Schemas['ParticipantCheckRequest'], 'userdata'> & {
  /** The `webhookUserdata` of the page, whatever its viewer says there; empty if there was none. */
  userdata: Record<string, unknown>;
};
/** What `auth.value.url` answers; anything but `authorized: true` keeps the user out. */
export type ParticipantCheckAnswer = Omit<Schemas['ParticipantCheckAnswer'], 'authorized'> & { authorized: boolean };

/** Which events are followed, and from where. */
export interface EventsOptions {
  /** Only events of sessions of this tenant. */
  tenant_id?: string;
  /** Only events of this session. */
  session_id?: string;
  /** Only events with these names. Default: all. */
  names?: readonly LifecycleEventName[];
  /** The `cursor` of the last event that was handled; '0': all that are kept. Default: events from now on. */
  after?: string;
  /** Ends the iteration, which then throws its reason. */
  signal?: AbortSignal;
  /** Called when events after the last one were not kept, with its cursor: what they told must be read anew. */
  onMissed?: (after: string) => void;
}

/** An event of the feed; `cursor` is what `after` takes to go on after it. */
export type FeedEvent = LifecycleEvent & { cursor: string };

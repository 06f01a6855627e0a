import type { components, operations } from '../protocol/generated/openapi.js';

type Schemas = components['schemas'];

/** Fields of a request for a Chromium session; all are optional. */
export type StartOptions = Schemas['StartChromium'];
/** Fields of a request for an Android device; all are optional. */
export type AndroidOptions = Schemas['StartAndroid'];
/** Fields of a request for a console. */
export type ConsoleOptions = Schemas['StartConsole'];
/** A session as returned by a start. */
export type SessionCreated = Schemas['SessionCreated'];
/** A session, running or ended. */
export type SessionRecord = Schemas['SessionRecord'];
/** A running session in the list. */
export type SessionListEntry = Schemas['SessionList']['results'][number];
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
export type Seat = Schemas['AllSeats'][number];
/** A file that was downloaded in the session. */
export type Download =
  operations['listDownloads']['responses'][200]['content']['application/json']['downloads'][number];

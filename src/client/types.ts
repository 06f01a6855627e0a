import type { components, operations } from '../protocol/generated/openapi.js';

type Schemas = components['schemas'];

/** Fields of a start request; all are optional. */
export type StartOptions = Schemas['StartChromium'];
/** A session as a start answers it. */
export type SessionCreated = Schemas['SessionCreated'];
/** A session, running or ended. */
export type SessionRecord = Schemas['SessionRecord'];
/** A running session in the list. */
export type SessionListEntry = Schemas['SessionList']['results'][number];
/** Which usage to read. */
export type UsageOptions = NonNullable<operations['readUsage']['parameters']['query']>;
/** Usage of one day or month. */
export type UsageEntry = Schemas['Usage']['usage'][number];
/** What a user may do. */
export type Role = Schemas['Role'];
/** How a user controls the session. */
export type Permissions = Schemas['Permissions'];
/** A user who is connected. */
export type SessionUser = Schemas['SessionUser'];
/** Timeouts to change, in seconds; null switches one off. */
export type TimeoutChange = Schemas['TimeoutChange'];
/** The timeouts of a session, in seconds; null: off. */
export type TimeoutsInForce = Schemas['TimeoutsInForce'];
/** A file that was downloaded in the session. */
export type Download = operations['listDownloads']['responses'][200]['content']['application/json']['downloads'][number];

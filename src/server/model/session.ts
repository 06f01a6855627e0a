import type { Launch, LifecycleEventName, Region, TerminationCode } from '../../protocol/generated/schemas.js';
import type { AccessDefaults, AuthPolicy } from './participation.js';

/** Why a session ended. */
export type EndReason = 'request' | 'absolute' | 'inactive' | 'offline' | 'crashed' | 'failed';

export type TimeoutType = 'absolute' | 'inactive' | 'offline';

/** Milliseconds; null: off. */
export type Timeouts = Readonly<Record<TimeoutType | 'warning', number | null>>;

/** Deadlines, UTC milliseconds. */
export type Announced = Readonly<Partial<Record<TimeoutType, number>>>;

/** Where events of a session are sent, and which; `secret` null: the service's own signs them. */
export interface EventReceiver {
  readonly url: string;
  readonly bearer: string | null;
  readonly secret: string | null;
  /** null: all. */
  readonly names: readonly LifecycleEventName[] | null;
}

/** Texts by name. */
export type Metadata = Readonly<Record<string, string>>;

/** Pixels. */
export interface Size {
  readonly width: number;
  readonly height: number;
}

export type SessionState =
  | { type: 'starting' }
  | { type: 'running' }
  | { type: 'ended'; at: number; reason: EndReason; message: string | null; code: TerminationCode | null };

/** The purpose of a token: watching, administering, or talking to the session's agent. */
export type Purpose = 'embed' | 'admin' | 'link';

/** The inputs of a token besides its purpose and session ID. */
export interface TokenSource {
  /** How often it was renewed. */
  readonly generation: number;
  /** ID of the service's secret it is derived from. */
  readonly secret: string;
}

/** A session's tokens in force. */
export type SessionTokens = Readonly<Record<Purpose, TokenSource>>;

/** The state of a session that survives a crash. All times in UTC milliseconds. */
export interface Session {
  id: string;
  state: SessionState;
  region: Region;
  tag: string | null;
  tenantId: string | null;
  /** The integrator's own, at most 4096 bytes of JSON. */
  metadata: Metadata;
  launch: Launch;
  /** Address of a console's game, or of an Android device's app. */
  rom: string | null;
  /** Access of new participants. */
  defaults: AccessDefaults;
  auth: AuthPolicy;
  tokens: SessionTokens;
  createdAt: number;
  /** When timeouts started counting: creation, or the last reset. */
  countedFrom: number;
  /** When its agent first answered; usage counts from here. */
  readyAt: number | null;
  /** When its agent was last heard from, written every few seconds; null in rows of older versions. */
  seenAt: number | null;
  timeouts: Timeouts;
  /** `secret` null: the service's own secret signs its events. */
  webhook: { url: string; bearer: string | null; secret: string | null } | null;
  /** The receiver of its events; null: nobody. */
  events: EventReceiver | null;
  /** Last input, or creation. */
  inputAt: number;
  /**
   * When it ends unless it is claimed, since nobody is known to have received the answer to its start; null: it is
   * claimed.
   */
  claimBy: number | null;
  /** How many have joined, as it was counted last. */
  viewers: number;
  /** That of its display, as it was reported last. */
  size: Size;
  /** Since when nobody is connected; null while somebody is. */
  offlineAt: number | null;
  /** The deadline of which viewers and webhook were last warned. */
  warned: { type: TimeoutType; deadline: number } | null;
  /** For each timeout, the deadline of which its webhook was last warned while that approaches. */
  announced: Announced;
  profile: {
    /** ID of the profile it starts with. */
    load: string | null;
    /** ID under which its profile is saved. */
    save: string | null;
    /** When it ended, if its profile is still to be saved; otherwise null. */
    pending: number | null;
  };
}

/** The part of a session for its public record, without secrets. */
export type SessionSummary = Pick<
  Session,
  | ('id' | 'state' | 'createdAt' | 'readyAt' | 'tokens' | 'claimBy' | 'profile')
  | ('region' | 'tag' | 'tenantId' | 'metadata' | 'viewers' | 'size')
  | ('countedFrom' | 'inputAt' | 'offlineAt' | 'timeouts')
> &
  Pick<Launch, 'kind'>;

/** How a session ends. */
export interface Ending {
  reason: EndReason;
  message?: string;
  /** Why an Android session failed or crashed. */
  code?: TerminationCode;
  /** When it ended, UTC milliseconds, if that was before it was noticed; never before it ran or in the future. */
  at?: number;
  /** Whether its profile is not saved. */
  discard?: boolean;
}

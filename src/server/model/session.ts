import type { Launch, Region } from '../../protocol/generated/schemas.js';
import type { AccessDefaults, AuthPolicy } from './participation.js';
import type { SessionTokens } from './tokens.js';

/** Why a session ended. */
export type EndReason = 'request' | 'absolute' | 'inactive' | 'offline' | 'crashed' | 'failed';

export type TimeoutType = 'absolute' | 'inactive' | 'offline';

/** Milliseconds; null: off. */
export type Timeouts = Readonly<Record<TimeoutType | 'warning', number | null>>;

/** Deadlines, UTC milliseconds. */
export type Announced = Readonly<Partial<Record<TimeoutType, number>>>;

export type SessionState =
  { name: 'starting' } | { name: 'running' } | { name: 'ended'; at: number; reason: EndReason; message: string | null };

/** What a session is, as far as it must survive a crash. All times in UTC milliseconds. */
export interface Session {
  id: string;
  state: SessionState;
  region: Region;
  tag: string | null;
  tenantId: string | null;
  launch: Launch;
  /** Address of a console's game. */
  rom: string | null;
  /** What a new participant gets. */
  defaults: AccessDefaults;
  auth: AuthPolicy;
  tokens: SessionTokens;
  createdAt: number;
  /** Since when timeouts count: creation, or the last reset. */
  countedFrom: number;
  /** When its agent first answered; usage counts from here. */
  readyAt: number | null;
  /** When its agent was last heard of, written every few seconds; null: before that was kept. */
  seenAt: number | null;
  timeouts: Timeouts;
  /** `secret` null: the service's own signs its events. */
  webhook: { url: string; bearer: string | null; secret: string | null } | null;
  /** Last input, or creation. */
  inputAt: number;
  /**
   * When it ends unless somebody asks for it before, as nobody is known to have got the answer to its start; null:
   * somebody has, or asked for it.
   */
  claimBy: number | null;
  /** Since when nobody is connected; null while someone is. */
  offlineAt: number | null;
  /** The deadline that viewers and webhook were last warned of. */
  warned: { type: TimeoutType; deadline: number } | null;
  /** The deadline of each timeout that its webhook was last warned of, as long as its end approaches. */
  announced: Announced;
  profile: {
    /** ID of the profile that it begins with. */
    load: string | null;
    /** ID under which its profile is saved. */
    save: string | null;
    /** It has ended, and since then its profile waits to be saved; null: it does not. */
    pending: number | null;
  };
}

/** How a session ends. */
export interface Ending {
  reason: EndReason;
  message?: string;
  /** When it ended, UTC milliseconds, where that was before it was noticed; never before its creation or after now. */
  at?: number;
}

import type { TerminationCode } from '../../protocol/generated/schemas.js';

/** The session did not answer within the caller's time limit. */
export class TimedOutError extends Error {
  override readonly name = 'TimedOutError';
}

/** The session has ended, does not exist, or does not admit this viewer: `type` says which. */
export class SessionTerminatedError extends Error {
  override readonly name = 'SessionTerminatedError';
  /** Why it is over. */
  readonly type: DisconnectType;
  /** What went wrong with an Android device; undefined otherwise. */
  readonly code: TerminationCode | undefined;

  constructor(type: DisconnectType, message: string, code?: TerminationCode) {
    super(message);
    this.type = type;
    this.code = code;
  }
}

/**
 * A call to the session failed. `code` is for programs: `role_required`, `tab_error` (then the message is Chrome's
 * own), `not_a_browser`, `connection_lost` and others.
 */
export class CallError extends Error {
  override readonly name = 'CallError';
  /** The reason, for programs. */
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

/** Why a session is over for this viewer. */
export type DisconnectType =
  'request' | 'inactive' | 'absolute' | 'offline' | 'crashed' | 'failed' | 'kicked' | 'unauthorized';

/** The session did not answer in the time that the caller gave it. */
export class TimedOutError extends Error {
  override readonly name = 'TimedOutError';
}

/** The session has ended, does not exist, or does not let this person in: `type` says which. */
export class SessionTerminatedError extends Error {
  override readonly name = 'SessionTerminatedError';
  readonly type: DisconnectType;

  constructor(type: DisconnectType, message: string) {
    super(message);
    this.type = type;
  }
}

/**
 * What was asked of the session was not done. `code` is for programs: `role_required`, `tab_error` (then the message
 * is Chrome's own), `not_a_browser`, `connection_lost` and others.
 */
export class CallError extends Error {
  override readonly name = 'CallError';
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

/** Why a session is over for this viewer. */
export type DisconnectType =
  'request' | 'inactive' | 'absolute' | 'offline' | 'crashed' | 'failed' | 'kicked' | 'unauthorized';

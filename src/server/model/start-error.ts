import type { ProfileFailure } from './profile-error.js';

/** Why a session was not started. */
export type StartFailure =
  | `profile_${ProfileFailure}`
  | 'extension_invalid'
  | 'extension_unsupported'
  | 'tag_in_use'
  | 'capacity'
  | 'region_unavailable'
  | 'engine_unavailable'
  | 'store_unavailable'
  | 'start_failed'
  | 'start_timeout'
  | 'stopping';

/** A failed start, of which nothing is left. */
export class StartError extends Error {
  override readonly name = 'StartError';
  readonly failure: StartFailure;
  /** The request field that caused it. */
  readonly path: string | undefined;

  constructor(failure: StartFailure, message: string, cause?: unknown, path?: string) {
    super(message, { cause });
    this.failure = failure;
    this.path = path;
  }
}

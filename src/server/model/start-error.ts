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

/** A session that was not started, and nothing is left of it. */
export class StartError extends Error {
  override readonly name = 'StartError';
  readonly failure: StartFailure;
  /** The field of the request that is to blame. */
  readonly path: string | undefined;

  constructor(failure: StartFailure, message: string, cause?: unknown, path?: string) {
    super(message, { cause });
    this.failure = failure;
    this.path = path;
  }
}

/** Why a session was not started. */
export type StartFailure =
  'capacity' | 'region_unavailable' | 'engine_unavailable' | 'start_failed' | 'start_timeout' | 'stopping';

/** A session that was not started, and nothing is left of it. */
export class StartError extends Error {
  override readonly name = 'StartError';
  readonly failure: StartFailure;

  constructor(failure: StartFailure, message: string, cause?: unknown) {
    super(message, { cause });
    this.failure = failure;
  }
}

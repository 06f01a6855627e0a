/** Why a profile was not saved or loaded. */
export type ProfileFailure = 'not_found' | 'wrong_kind' | 'damaged' | 'wrong_device' | 'too_large' | 'unavailable';

/** A profile that could not be saved or loaded; the stored one is unchanged. */
export class ProfileError extends Error {
  override readonly name = 'ProfileError';
  readonly failure: ProfileFailure;

  constructor(failure: ProfileFailure, message: string, cause?: unknown) {
    super(message, { cause });
    this.failure = failure;
  }
}

import type { CallErrorCode } from '../../protocol/call-errors.js';
import type { ErrorBody, ErrorCode } from '../../protocol/generated/schemas.js';
import type { Problem } from '../../protocol/validation.js';

/** Every error of the interface: its status, and what to do about it. */
const TABLE = {
  invalid_body: [400, 'The body does not fit the schema; see details.'],
  invalid_query: [400, 'The query does not fit the schema; see details.'],
  invalid_json: [400, 'The body is not valid JSON.'],
  bad_request: [400, 'The request is not valid HTTP for this address.'],
  clipboard_invalid: [400, 'The form must have text, html or png, each within its limits.'],
  apk_invalid: [400, 'This file is not an app for Android.'],
  tab_error: [400, 'The browser refused the call.'],
  unauthorized: [401, 'Send a valid credential as "Authorization: Bearer <credential>".'],
  invalid_token: [401, 'Open the address with the token that the session was started with.'],
  ticket_invalid: [401, 'The ticket belongs to no viewer that is connected; take the one of the newest welcome.'],
  admin_required: [403, 'This needs the admin token of the session, or an API key.'],
  role_required: [403, 'This needs a role that the user does not have.'],
  not_found: [404, 'There is nothing at this address.'],
  session_not_found: [404, 'There is no session with this ID.'],
  user_not_found: [404, 'There is no such user in the session.'],
  no_profile: [404, 'There is no profile with this ID.'],
  window_not_found: [404, 'There is no window with this ID.'],
  upload_not_found: [404, 'This upload no longer exists; send the file again.'],
  picture_not_found: [404, 'Something else has been copied since.'],
  download_not_found: [404, 'This file is no longer available.'],
  dialog_not_found: [404, 'This dialog is not open any more.'],
  body_stalled: [408, 'The body did not arrive; send it without long pauses.'],
  session_ended: [409, 'The session has ended.'],
  not_a_browser: [409, 'This session is not a browser.'],
  not_a_console: [409, 'This session is not a console.'],
  not_an_android: [409, 'This session is not an Android device.'],
  not_supported: [409, 'The device of this session cannot do that.'],
  not_playing: [409, 'No game is being played yet; try again when it is.'],
  tag_in_use: [409, 'A running session of another kind has this tag; choose another one.'],
  idempotency_key_in_use: [409, 'The start that Idempotency-Key came with first is still under way; try again.'],
  profile_in_use: [409, 'A session uses the profile, or is about to save it; try again when it has ended.'],
  seat_taken: [409, 'The seat is taken.'],
  privacy_mode: [409, 'One user has the session in private; an admin can end that.'],
  control_taken: [409, 'Somebody else controls the session now.'],
  slot_empty: [409, 'Nothing was saved in this slot.'],
  one_disc: [409, 'The game has no other disc.'],
  disc_not_changed: [409, 'The emulator did not change the disc; try again.'],
  state_not_saved: [409, 'The game was not saved; try again.'],
  state_not_loaded: [409, 'The emulator did not load the state; try again.'],
  no_chooser: [409, 'No page has an open file chooser.'],
  dialog_not_answered: [409, 'The dialog does not take this answer.'],
  body_too_large: [413, 'The body is too large.'],
  unsupported_media_type: [415, 'Send the body as JSON, neither multipart nor of a binary type.'],
  files_only: [422, 'The page takes files only.'],
  folder_only: [422, 'The page takes a folder only.'],
  one_file_only: [422, 'The page takes one file only.'],
  app_not_available: [422, 'The app is not installed on the device and cannot be obtained.'],
  install_failed: [422, 'The device did not install the app.'],
  no_page: [422, 'There is no page at this position.'],
  apk_refused: [422, 'The app cannot be fetched from this address; see details.'],
  rom_refused: [422, 'The game cannot be fetched from this address; see details.'],
  webhook_refused: [422, 'No webhook is sent to this address; see details.'],
  idempotency_key_reused: [422, 'Idempotency-Key came with another request before; choose another key.'],
  region_unavailable: [422, 'No host serves this region; choose another one.'],
  profile_not_found: [422, 'There is no profile with this ID.'],
  profile_wrong_device: [422, 'The profile was saved with another system image or emulator.'],
  profile_unsupported: [422, 'Sessions on devices of a pool have no profiles.'],
  profile_wrong_kind: [422, 'The profile was saved by a session of another kind.'],
  profile_damaged: [422, 'The saved profile is damaged, or was saved under another secret.'],
  profile_too_large: [422, 'The profile does not fit into a session.'],
  extension_invalid: [422, 'The extension cannot be installed; see details.'],
  extension_unsupported: [422, 'Chromium cannot run the extension; see details.'],
  rate_limited: [429, 'Too many requests; wait as long as Retry-After says.'],
  capacity: [429, 'All session slots are in use; wait as long as Retry-After says.'],
  too_many_calls: [429, 'The session is busy with other calls; wait as long as Retry-After says.'],
  internal: [500, 'Internal error; see the log of the service.'],
  start_failed: [502, 'The session could not be started.'],
  agent_failed: [502, 'The session could not carry out the call.'],
  agent_lost: [503, 'The session cannot be reached; try again.'],
  profile_unavailable: [503, 'The kept profiles cannot be reached; try again later.'],
  engine_unavailable: [503, 'The container engine cannot be reached; try again later.'],
  store_unavailable: [503, 'The database cannot be reached; try again later.'],
  not_ready: [503, 'The service is not ready; try again later.'],
  stopping: [503, 'The service is stopping; try again.'],
  agent_silent: [504, 'The session did not answer in time.'],
  start_timeout: [504, 'The session did not start in time; try again.'],
  no_room: [507, 'The session has no space left for this file.'],
} as const satisfies Record<ErrorCode, readonly [number, string]>;

export type { ErrorCode };

/** Status and text of every error. */
export const errorTable: Readonly<Record<ErrorCode, readonly [status: number, text: string]>> = TABLE;

/** Seconds after which a temporary failure is worth another try, unless the error has a time of its own. */
const RETRY_S: Partial<Readonly<Record<ErrorCode, number>>> = {
  too_many_calls: 1,
  capacity: 10,
  agent_lost: 1,
  not_ready: 1,
  stopping: 2,
  profile_unavailable: 5,
  engine_unavailable: 5,
  store_unavailable: 5,
};

/** An error as the interface answers it. */
export class HttpError extends Error {
  override readonly name = 'HttpError';
  readonly code: ErrorCode;
  readonly details: readonly Problem[] | undefined;
  /** Seconds; set for 429 and 503. */
  readonly retryAfter: number | undefined;
  readonly #terminationReason: ErrorBody['termination_reason'];

  constructor(
    code: ErrorCode,
    more: {
      message?: string;
      details?: readonly Problem[];
      retryAfter?: number;
      cause?: unknown;
      terminationReason?: ErrorBody['termination_reason'];
    } = {},
  ) {
    super(more.message ?? TABLE[code][1], { cause: more.cause });
    this.code = code;
    this.details = more.details;
    this.retryAfter = more.retryAfter ?? RETRY_S[code];
    this.#terminationReason = more.terminationReason;
  }

  get status(): number {
    return TABLE[this.code][0];
  }

  get body(): ErrorBody {
    const { code, message, details } = this;
    const termination_reason = this.#terminationReason;
    return {
      code,
      message,
      ...(termination_reason === undefined ? {} : { termination_reason }),
      ...(details === undefined ? {} : { details: [...details] }),
    };
  }
}

/** Why a call failed. `tab_error` carries Chrome's own text. */
export class CallError extends Error {
  override readonly name = 'CallError';

  /** `problems` says what is wrong with the arguments. */
  constructor(
    readonly code: CallErrorCode,
    message: string,
    readonly problems?: readonly Problem[],
  ) {
    super(message);
  }
}

/** Why a profile was not saved or loaded. */
type ProfileFailure = 'not_found' | 'wrong_kind' | 'damaged' | 'wrong_device' | 'too_large' | 'unavailable';

/** A profile that could not be saved or loaded; the stored one is unchanged. */
export class ProfileError extends Error {
  override readonly name = 'ProfileError';
  readonly failure: ProfileFailure;

  constructor(failure: ProfileFailure, message: string, cause?: unknown) {
    super(message, { cause });
    this.failure = failure;
  }
}

/** Why a session was not started. */
export type StartFailure =
  | `profile_${ProfileFailure}`
  | 'extension_invalid'
  | 'extension_unsupported'
  | 'tag_in_use'
  | 'idempotency_key_in_use'
  | 'idempotency_key_reused'
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

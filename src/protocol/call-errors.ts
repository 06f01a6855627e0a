/**
 * Why calls fail, at the service or the agent. `tab_error` carries Chrome's own text. For calls over HTTP each has a
 * status (src/server/http/errors.ts).
 */
export const CALL_ERRORS = [
  'admin_required',
  'agent_failed',
  'agent_lost',
  'agent_silent',
  'apk_invalid',
  'app_not_available',
  'control_taken',
  'dialog_not_answered',
  'dialog_not_found',
  'disc_not_changed',
  'files_only',
  'folder_only',
  'install_failed',
  'invalid_arguments',
  'no_chooser',
  'no_page',
  'not_a_browser',
  'not_a_console',
  'not_an_android',
  'not_playing',
  'not_ready',
  'not_supported',
  'one_disc',
  'one_file_only',
  'privacy_mode',
  'role_required',
  'seat_taken',
  'slot_empty',
  'state_not_loaded',
  'state_not_saved',
  'tab_error',
  'too_many_calls',
  'unknown_method',
  'upload_not_found',
  'user_not_found',
  'window_not_found',
] as const;

export type CallErrorCode = (typeof CALL_ERRORS)[number];

const KNOWN: ReadonlySet<string> = new Set(CALL_ERRORS);

/** Whether this is one of them: agents may return anything. */
export const isCallErrorCode = (code: string): code is CallErrorCode => KNOWN.has(code);

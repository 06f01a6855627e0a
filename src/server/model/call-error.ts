import type { CallErrorCode } from '../../protocol/call-errors.js';
import type { Problem } from '../../protocol/validation.js';

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

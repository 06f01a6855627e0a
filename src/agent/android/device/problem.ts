import type { AgentState, TerminationCode } from '../../../protocol/generated/schemas.js';

/** Why an Android session cannot go on, in words for its viewers. */
export class DeviceProblem extends Error {
  override readonly name = 'DeviceProblem';

  constructor(
    readonly code: TerminationCode,
    message: string,
    /** Whether the session crashed, or could not run from the beginning. */
    readonly blame: NonNullable<AgentState['cause']> = 'content',
  ) {
    super(message);
  }
}

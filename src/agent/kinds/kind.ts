import type { Launch } from '../../protocol/generated/schemas.js';
import type { SessionProgram, SessionProgramOptions } from '../session/session-program.js';

/** What the kinds of sessions differ in, as far as the agent knows. */
export interface Kind<L extends Launch> {
  /** Makes what runs in its sessions. */
  program(launch: L, options: SessionProgramOptions): SessionProgram<L>;
  /** A launch without what must not be written down. */
  withoutSecrets(launch: L): L;
}

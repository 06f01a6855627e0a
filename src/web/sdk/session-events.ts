import type { ToViewer } from '../../protocol/generated/schemas.js';
import type { AudioState } from '../media/audio/audio-player.js';
import type { SessionStatus } from './connection/status.js';
import type { CloseWarningEvent } from './options.js';
import type { Access } from './permissions.js';
import type { Privacy } from './privacy.js';

/** Events from a session to the page around it. */
export interface SessionEvents {
  /** The service admitted the viewer and has sent the initial state; repeated after each reconnection. */
  joined?(): void;
  /** The viewer's permissions, initially and after each change. */
  access?(access: Access): void;
  /** Who has the session in private has changed. */
  privacy?(privacy: Privacy): void;
  /** Every incoming control message. */
  message?(message: ToViewer): void;
  status?(status: SessionStatus): void;
  warning?(warning: CloseWarningEvent | null): void;
  sound?(state: AudioState): void;
  /** A sentence about a limitation of this browser. */
  limitation?(sentence: string): void;
}

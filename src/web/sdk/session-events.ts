import type { ToViewer } from '../../protocol/generated/schemas.js';
import type { AudioState } from '../media/audio/audio-player.js';
import type { CloseWarningEvent } from './options.js';
import type { Access } from './permissions.js';
import type { SessionStatus } from './connection/status.js';

/** What a session tells the page around it. */
export interface SessionEvents {
  /** The service let the viewer in and has told what it must know; again after each reconnection. */
  joined?(): void;
  /** What the viewer may do, at first and whenever it changes. */
  access?(access: Access): void;
  /** Every control message that comes in. */
  message?(message: ToViewer): void;
  status?(status: SessionStatus): void;
  warning?(warning: CloseWarningEvent | null): void;
  sound?(state: AudioState): void;
  /** A sentence on what this browser cannot do here. */
  limitation?(sentence: string): void;
}
